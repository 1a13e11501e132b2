// Tests of enclosed processes as an ordinary user, since root can do more, which hides mistakes.
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';

const NOBODY = 65_534;

beforeAll(() => {
  if (process.getuid?.() === 0) {
    process.setgroups?.([NOBODY]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  }
  process.env['HOME'] = mkdtempSync('/var/tmp/home-');
});

afterAll(() => rmSync(process.env['HOME'] ?? '', { recursive: true }));

await import('./enclosed-process.int.test.ts');

it('these sandbox tests do not run as root', () => {
  expect(process.getuid?.()).not.toBe(0);
});
