// Tests of private files with several names: which are found, and how rarely the private places are searched.
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAmong, LinkSearch, searched } from './linked-files.ts';
import { PrivateInodes, PrivatePlaces, UnknownLink } from './private-places.ts';

let dir: string;
let searches: number;
let places: [string, ...string[]];
let own: PrivatePlaces;
const at = (name: string): string => join(dir, name);

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'linked-')));
  mkdirSync(at('state/rec/2026-11/key'), { recursive: true });
  for (const name of ['state/token', 'state/rec/2026-11/key/1.xcr', 'mine']) writeFileSync(at(name), '');
  linkSync(at('mine'), at('mine-too'));
  searches = 0;
  places = [at('state'), at('none')];
  const links = new LinkSearch(
    () => places,
    (each) => {
      searches += 1;
      return searched(each);
    },
  );
  own = new PrivatePlaces(() => places, links);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** Sets the gateway's clock to a minute after the files were changed. */
const later = (): unknown => vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });

const INODE = /^[1-9]\d*:[1-9]\d*$/;

describe('[SB11] The search for private files with several names', () => {
  it('finds them in all folders, and no others', async () => {
    expect((await searched(places)).filter((inode) => inode !== idOf('/') && INODE.test(inode))).toEqual([]);
    linkSync(at('state/token'), at('a'));
    linkSync(at('state/rec/2026-11/key/1.xcr'), at('b'));
    expect(await searched(places)).toEqual(expect.arrayContaining([idOf(at('a')), idOf(at('b'))]));
    expect(await searched([at('state/token')])).toContain(idOf(at('a')));
  });

  it('fails without its programs', async () => {
    vi.stubEnv('PATH', at('state'));
    await expect(searched(places)).rejects.toThrow('cannot be listed');
    await expect(own.refuse(at('mine'))).rejects.toThrow('cannot be listed');
    await own.refuse(at('state-like'));
  });

  it('does not run for files with one name', async () => {
    writeFileSync(at('single'), '');
    for (let i = 0; i < 100; i += 1) await own.refuse(at('single'));
    expect(searches).toBe(0);
  });

  it('runs once for many requests for files whose names are old', async () => {
    later();
    for (let i = 0; i < 100; i += 1) await own.refuse(at(i % 2 ? 'mine' : 'mine-too'));
    expect(searches).toBe(1);
  });

  it('runs at most twice for any number of simultaneous requests', async () => {
    const stats = statSync(at('mine'));
    await Promise.all(Array.from({ length: 100 }, () => own.refuseHardLink(at('mine'), stats)));
    expect(searches).toBe(1);
    const first = own.links.fresh();
    await vi.waitFor(() => expect(searches).toBe(2));
    await Promise.all([first, ...Array.from({ length: 100 }, () => own.links.fresh())]);
    expect(searches).toBe(3);
  });

  it.each([
    ['a new name of a private file', () => linkSync(at('state/token'), at('new'))],
    [
      'an old name, when the clock was set back',
      () => {
        linkSync(at('state/token'), at('new'));
        vi.useFakeTimers({ now: Date.now() - 3_600_000, toFake: ['Date'] });
      },
    ],
  ])('runs again for %s', async (_, change) => {
    await own.refuse(at('mine'));
    change();
    await expect(own.refuse(at('new'))).rejects.toThrow('own state');
    expect(searches).toBe(2);
  });

  it('runs again when another file has become private', async () => {
    later();
    await own.refuse(at('mine'));
    places = [at('state'), at('mine')];
    await expect(own.refuseHardLink(at('mine-too'), await stat(at('mine-too')))).rejects.toThrow('own state');
  });
});

it('[SB11] a helper refuses the listed files, and reports files with newer names as unknown', async () => {
  const helper = new PrivateInodes();
  const stats = statSync(at('mine'));
  helper.links = { inodes: [idOf(at('mine'))], untilMs: null };
  await expect(helper.refuse(at('mine-too'))).rejects.toThrow('own state');
  helper.links = { inodes: [], untilMs: stats.ctimeMs + 1 };
  await helper.refuse(at('mine-too'));
  helper.links = { inodes: [], untilMs: stats.ctimeMs };
  await expect(helper.refuse(at('mine-too'))).rejects.toBeInstanceOf(UnknownLink);
  expect(isAmong(helper.links, statSync(at('state/token')))).toBe(false);
});

function idOf(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
