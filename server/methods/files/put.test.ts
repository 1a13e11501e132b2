// Tests of writes in folders that permit no new file: an error leaves the old file, or the file is written in
// place.
import * as fs from 'node:fs/promises';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi, type Mock } from 'vitest';
import { writeWhole } from './change.ts';
import { copy } from './copy.ts';
import { FREE_COPY } from '../../testing/free-copy.ts';

vi.mock('node:fs/promises', { spy: true });
const actual = await vi.importActual<typeof fs>('node:fs/promises');

let dir: string;
let target: string;
let source: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'put-'));
  [target, source] = [join(dir, 'target'), join(dir, 'source')];
  writeFileSync(target, 'old');
  writeFileSync(source, 'new');
});
afterEach(() => {
  vi.resetAllMocks();
  rmSync(dir, { recursive: true });
});

/** Fails operations only on the temporary file beside the target. */
function failBeside(what: 'open' | 'rename', code: string): void {
  const real = actual[what] as (...args: unknown[]) => Promise<unknown>;
  const spied = vi.mocked(fs[what]) as unknown as Mock<typeof real>;
  spied.mockImplementation(async (path, ...rest) => {
    if (String(path).startsWith(join(dir, '.target.')))
      throw Object.assign(new Error(`${code}: not possible, ${what} '${String(path)}'`), { code });
    return real(path, ...rest);
  });
}

const ways = [
  ['written', () => writeWhole(target, Buffer.from('new'))],
  ['copied', () => copy(source, target, FREE_COPY)],
] as const;
const content = (): [string, string[]] => [readFileSync(target, 'utf8'), readdirSync(dir).toSorted()];

for (const [way, put] of ways) {
  it.each([
    ['open', 'ENOSPC'],
    ['open', 'EDQUOT'],
    ['open', 'EMFILE'],
    ['open', 'ENFILE'],
    ['open', 'EIO'],
    ['rename', 'ENOSPC'],
    ['rename', 'EDQUOT'],
    ['rename', 'EIO'],
  ] as const)(
    `[FS2] a file is not ${way} when %s fails with %s, and the old one stays`,
    async (what, code) => {
      failBeside(what, code);
      await expect(put()).rejects.toMatchObject({
        code,
        message: `${code}: not possible, write '${target}'`,
      });
      expect(content()).toEqual(['old', ['source', 'target']]);
    },
  );

  it.each([
    ['open', 'EACCES'],
    ['open', 'EPERM'],
    ['open', 'EROFS'],
    ['open', 'ENOENT'],
    ['rename', 'EBUSY'],
    ['rename', 'EPERM'],
  ] as const)(
    `[FS4] a file is ${way} in place when %s beside it is not permitted: %s`,
    async (what, code) => {
      failBeside(what, code);
      await put();
      expect(content()).toEqual(['new', ['source', 'target']]);
    },
  );
}
