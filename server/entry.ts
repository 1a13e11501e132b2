#!/usr/bin/env node
// Entry of the program. It takes over SIGUSR1 before any import, because Node would open its inspector on
// that signal.
import process from 'node:process';

process.on('SIGUSR1', () => {});
await import('./main.ts');
