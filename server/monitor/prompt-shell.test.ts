// Tests of detecting interactive shells by their arguments.
import { describe, expect, it } from 'vitest';
import { isInteractiveShell } from './prompt-shell.ts';

const words = (command: string): readonly string[] => command.split(' ');

describe('[WA3] isInteractiveShell', () => {
  it.each([
    'bash',
    '-bash',
    '/bin/bash --norc --noprofile -i',
    '/usr/bin/zsh -l',
    'fish -C status',
    'sh -i',
    'bash --rcfile /tmp/rc -i',
    'bash -eo pipefail',
    'bash +O nullglob',
    'bash --login',
    'sh -',
    'bash -s one two',
    'ksh',
  ])('is true for %s', (command) => expect(isInteractiveShell(words(command))).toBe(true));
  it.each([
    'bash script.sh',
    '/bin/sh -c read',
    'bash -lc read',
    'bash -ic read',
    'bash -eo pipefail script.sh',
    'bash --norc script.sh',
    'sh -- script.sh',
    'sh - script.sh',
    'fish --command=read',
    'fish --command read',
    'python3',
    'bashful',
    '',
  ])('is false for %s', (command) => expect(isInteractiveShell(words(command))).toBe(false));
});
