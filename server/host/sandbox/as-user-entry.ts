// The entry of the program that works for sandboxes as another user: before anything else is loaded, SIGUSR1 is taken
// from Node, which would open its inspector.
import process from 'node:process';

process.on('SIGUSR1', () => {});
await import('./as-user-program.ts');
