// Entry of the program that checks files as another user. SIGUSR1 is handled before anything else is loaded, since Node
// would otherwise open its inspector.
import process from 'node:process';

process.on('SIGUSR1', () => {});
await import('./as-user-program.ts');
