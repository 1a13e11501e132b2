#!/usr/bin/env node
// The program's entry: before anything else is loaded, SIGUSR1 is taken from Node, which would open its inspector.
import process from 'node:process';

process.on('SIGUSR1', () => {});
await import('./main.ts');
