// Tests of the choice of a command's shell by the requested name and the user's own shell.
import { describe, expect, it } from 'vitest';
import { shellFor } from './shell.ts';

describe('the shell of a command', () => {
  it.each([
    [null, '/opt/bin/fish', '/opt/bin/fish'],
    ['bash', '/opt/bin/bash', '/opt/bin/bash'],
    ['/usr/local/bin/bash', '/opt/bin/bash', '/opt/bin/bash'],
    ['/bin/nope', '/bin/bash', '/bin/sh'],
    ['/bin/cat', '/bin/bash', '/bin/sh'],
    ['', '/bin/bash', '/bin/sh'],
    ['sh', '/bin/bash', '/bin/sh'],
  ])('is chosen for %j, where the gateway’s own is %s: %s', (asked, own, expected) => {
    expect(shellFor(asked, own, '/nowhere:relative')).toBe(expected);
  });
});
