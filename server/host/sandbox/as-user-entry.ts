// Entry of the program that checks files as another user. It handles SIGUSR1 before anything else is loaded,
// since Node would open its inspector.
import process from 'node:process';

process.on('SIGUSR1', () => {});
await import('./as-user-program.ts');
