// Facts about the files of a start: its branch, and a program that could be replaced: rule AP17.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { readOnly, workspaceWrite, type IntentOptions } from '../../testing/intents.ts';
import type { Asked } from './decided.ts';
import { FactFinder } from './fact-finder.ts';
import { HASHED_BYTES, startFacts, type FactsQuestion, type StartFacts } from './start-facts.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'exec-console-facts-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (...names: string[]): string => join(folder, ...names);
const question = (more: Partial<FactsQuestion> = {}): FactsQuestion => ({
  asked: null,
  cwd: folder,
  programs: [],
  hidden: [],
  isFresh: true,
  ...more,
});
const facts = (more: Partial<FactsQuestion> = {}): Promise<StartFacts> => startFacts(question(more));
const asked = (intent: object): Asked => ({
  floor: 'none',
  intent: intent as SandboxIntent,
  cwd: folder,
  tmpdir: undefined,
  chosen: [],
});

const SCRIPT = '#!/bin/sh\necho one\n';
function program(name = 'run.sh', text = SCRIPT): string {
  writeFileSync(at(name), text, { mode: 0o755 });
  return at(name);
}

describe('A program', () => {
  it('[AP17] is reported with its real path, size, time and hash when its folder is writable', async () => {
    const path = program();
    symlinkSync(path, at('link'));
    utimesSync(path, 1000, 1000);
    expect((await facts({ programs: [[at('missing'), at('link'), '/bin/sh']] })).program).toEqual({
      path,
      bytes: SCRIPT.length,
      modifiedAtMs: 1_000_000,
      sha256: createHash('sha256').update(SCRIPT).digest('hex'),
    });
  });

  it.each<[string, (folder: string, options?: IntentOptions) => object, boolean]>([
    ['can write to its folder', workspaceWrite, true],
    ['can write nowhere', readOnly, false],
  ])('[AP17] is reported depending on the sandbox: %s, %s', async (_what, intent, isNamed) => {
    const found = await facts({ programs: [[program()]], asked: asked(intent(folder)) });
    expect([found.program !== null, found.mark !== '']).toEqual([isNamed, isNamed]);
  });

  it('[AP17] is reported when it is behind a link in a writable folder, because the link can be replaced', async () => {
    const [from] = ['work', 'system'].map((name) => at(name));
    for (const name of ['work', 'system']) mkdirSync(at(name));
    const path = program('system/run.sh');
    symlinkSync(path, at('work/run.sh'));
    const found = await facts({ programs: [[at('work/run.sh')]], asked: asked(workspaceWrite(from ?? '')) });
    expect(found.program?.path).toBe(path);
  });

  it.each([
    ['a link on the way to it', ['run.sh', 'open/run.sh', 'system/run.sh']],
    ['a link to its folder', ['way/run.sh']],
    ['a link above a link to its folder', ['other/deep/run.sh']],
  ])('[AP17] is reported when %s is in a writable folder', async (_what, [first = '', ...others]) => {
    for (const name of ['open', 'system', 'other']) mkdirSync(at(name));
    const path = program('system/run.sh');
    if (others.length > 0) {
      symlinkSync(at('open/run.sh'), at('run.sh'));
      symlinkSync('../system/run.sh', at('open/run.sh'));
    } else if (first.startsWith('way')) {
      symlinkSync(at('open/way'), at('way'));
      symlinkSync('../system', at('open/way'));
    } else {
      symlinkSync('../open/.././open/deep', at('other/deep'));
      symlinkSync(at('system'), at('open/deep'));
    }
    const given = asked(workspaceWrite(at('open')));
    expect((await facts({ programs: [[at(first)]], asked: given })).program?.path).toBe(path);
    const none = asked(workspaceWrite(at('other'), {}));
    const isInOther = first.startsWith('other');
    expect((await facts({ programs: [[at(first)]], asked: none })).program !== null).toBe(isInOther);
  });

  it('[AP17] is not reported, nor is the branch, in a folder that is denied or the gateway’s own', async () => {
    mkdirSync(at('closed/.git'), { recursive: true });
    writeFileSync(at('closed/.git/HEAD'), 'ref: refs/heads/secret\n');
    const programs = [[program('closed/run.sh')]];
    const cwd = at('closed');
    expect((await facts({ programs, cwd })).branch).toBe('secret');
    const nothing = { branch: null, program: null, mark: '' };
    expect(await facts({ programs, cwd, hidden: [cwd] })).toMatchObject(nothing);
    const denied = asked(workspaceWrite(folder, { denied: [cwd] }));
    expect(await facts({ programs, cwd, asked: denied })).toMatchObject(nothing);
    symlinkSync(at('closed'), at('way'));
    expect(await facts({ programs: [[at('way/run.sh')]], cwd: at('way'), hidden: [cwd] })).toMatchObject(
      nothing,
    );
  });

  it('[AP17] has a mark of constant length, however many programs there are', async () => {
    const programs = ['one', 'two', 'three'].map((name) => [program(name)]);
    const [first = []] = programs;
    const marks = await Promise.all([[first], programs].map((each) => facts({ programs: each })));
    const [one, all] = marks.map(({ mark }) => mark);
    expect([all === one, all?.length]).toEqual([false, one?.length]);
    appendFileSync(at('three'), 'echo two\n');
    expect((await facts({ programs })).mark).not.toBe(all);
  });

  it.each([
    ['is written to', (path: string) => appendFileSync(path, 'echo two\n'), false],
    ['gets other contents with the same size and time', (path: string) => same(path), false],
    ['is only touched', (path: string) => utimesSync(path, 5, 5), true],
    ['is removed', (path: string) => rmSync(path), false],
  ])('[AP17] keeps its mark as expected: %s, %s', async (_what, change, isSame) => {
    const path = program();
    utimesSync(path, 1000, 1000);
    const before = await facts({ programs: [[path]] });
    change(path);
    expect((await facts({ programs: [[path]] })).mark === before.mark).toBe(isSame);
  });

  function same(path: string): void {
    writeFileSync(path, SCRIPT.replace('one', 'two'));
    utimesSync(path, 1000, 1000);
  }

  it('[AP17] has no hash when it is too large to be read, and gets another mark when it is written to', async () => {
    const path = program();
    truncateSync(path, HASHED_BYTES + 1);
    utimesSync(path, 1000, 1000);
    const before = await facts({ programs: [[path]] });
    expect(before.program).toMatchObject({ bytes: HASHED_BYTES + 1, sha256: null });
    same(path);
    truncateSync(path, HASHED_BYTES + 1);
    utimesSync(path, 1000, 1000);
    expect((await facts({ programs: [[path]] })).mark).not.toBe(before.mark);
  });

  it('[AP17] is read again by a fresh check, and otherwise only when it has changed', async () => {
    const path = program();
    const file = await open(path);
    const read = vi.spyOn(Object.getPrototypeOf(file) as typeof file, 'read');
    await file.close();
    const reads = async (isFresh: boolean): Promise<number> => {
      read.mockClear();
      expect((await facts({ programs: [[path]], isFresh })).program?.sha256).toHaveLength(64);
      return read.mock.calls.length;
    };
    try {
      // The times of a file that has just changed might stay the same when it changes again.
      expect([await reads(false), await reads(false)]).toEqual([2, 2]);
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
      expect([await reads(false), await reads(false), await reads(true)]).toEqual([2, 0, 2]);
      appendFileSync(path, 'echo two\n');
      expect(await reads(false)).toBe(2);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('[AP17] is ignored without delay when it is a FIFO, a device or a folder', async () => {
    execFileSync('mkfifo', ['-m', '777', at('fifo')]);
    symlinkSync('/dev/zero', at('device'));
    mkdirSync(at('folder'));
    for (const name of ['fifo', 'device', 'folder'])
      expect(await facts({ programs: [[at(name)]] })).toMatchObject({
        branch: null,
        program: null,
        mark: '',
      });
  });
});

describe('The places of a start', () => {
  const places = async (more: Partial<FactsQuestion> = {}): Promise<string> => (await facts(more)).places;
  const turned = (name: string, to: string): void => {
    rmSync(at(name), { force: true });
    symlinkSync(at(to), at(name));
  };

  it('[AP18] differ when a link leads its folder, its program or what its sandbox can write elsewhere', async () => {
    for (const name of ['one', 'two']) mkdirSync(at(name));
    for (const name of ['one/run.sh', 'two/run.sh']) program(name);
    const kinds: Partial<FactsQuestion>[] = [
      { cwd: at('link') },
      { programs: [[at('link/run.sh')]] },
      { asked: asked(workspaceWrite(at('link'))) },
    ];
    turned('link', 'one');
    const before = await Promise.all(kinds.map(places));
    expect(await Promise.all(kinds.map(places))).toEqual(before);
    turned('link', 'two');
    const after = await Promise.all(kinds.map(places));
    expect(after.map((each, nth) => each === before[nth])).toEqual([false, false, false]);
  });

  it('[AP17] name where the folder leads only if it is elsewhere', async () => {
    mkdirSync(at('one'));
    turned('link', 'one');
    expect((await facts({ cwd: at('link') })).folder).toBe(at('one'));
    expect((await facts({ cwd: at('link/../one') })).folder).toBeNull();
    expect((await facts({ cwd: at('missing') })).folder).toBeNull();
    expect((await facts({ cwd: `${at('one')}/` })).folder).toBeNull();
  });
});

describe('A branch', () => {
  const repository = (head: string): void => {
    mkdirSync(at('.git'));
    writeFileSync(at('.git/HEAD'), head);
  };

  it('[AP17] is read from the repository around the folder', async () => {
    repository('ref: refs/heads/feature/one\n');
    mkdirSync(at('a/b'), { recursive: true });
    expect((await facts({ cwd: at('a/b') })).branch).toBe('feature/one');
  });

  it('[AP17] is that of the worktree when the folder is in one', async () => {
    repository('ref: refs/heads/main\n');
    mkdirSync(at('.git/worktrees/w'), { recursive: true });
    writeFileSync(at('.git/worktrees/w/HEAD'), 'ref: refs/heads/other\n');
    mkdirSync(at('w'));
    writeFileSync(at('w/.git'), 'gitdir: ../.git/worktrees/w\n');
    expect((await facts({ cwd: at('w') })).branch).toBe('other');
  });

  it.each([
    ['a commit', '3'.repeat(40)],
    ['nothing', ''],
    ['several lines', 'ref: refs/heads/a\nroot:x:0\n'],
    ['a name with control characters', 'ref: refs/heads/a\u001b[31m\n'],
    ['a very long name', `ref: refs/heads/${'x'.repeat(100_000)}\n`],
  ])('[AP17] is unknown when its file has %s', async (_what, head) => {
    repository(head);
    expect((await facts()).branch).toBeNull();
  });

  it('[AP17] is unknown, without delay, when its file is a FIFO or a device', async () => {
    mkdirSync(at('.git'));
    execFileSync('mkfifo', [at('.git/HEAD')]);
    expect((await facts()).branch).toBeNull();
    rmSync(at('.git'), { recursive: true });
    symlinkSync('/dev/zero', at('.git'));
    expect((await facts()).branch).toBeNull();
  });
});

describe('A lookup of facts', () => {
  it('[AP17] finds nothing when it takes too long, nor do queued lookups while two hang', async () => {
    const hanging: (() => void)[] = [];
    const found: StartFacts = {
      branch: 'main',
      program: null,
      mark: '',
      realFolder: null,
      folder: null,
      places: '',
    };
    let hangs = true;
    const look = async (): Promise<StartFacts> => {
      if (hangs) await new Promise<void>((end) => hanging.push(end));
      return found;
    };
    const finder = new FactFinder(null, { lookMs: 10, look });
    const looks = await Promise.all([1, 2, 3, 4].map(() => finder.find(question())));
    expect(looks.map(({ branch }) => branch)).toEqual([null, null, null, null]);
    expect(hanging).toHaveLength(2);
    hangs = false;
    for (const end of hanging) end();
    await expect.poll(() => finder.find(question())).toEqual(found);
    await finder.close();
  });

  it('[AP17] stops reading when it is aborted', async () => {
    const path = program();
    truncateSync(path, HASHED_BYTES);
    await expect(startFacts(question({ programs: [[path]] }), AbortSignal.abort())).rejects.toThrow('abort');
  });
});
