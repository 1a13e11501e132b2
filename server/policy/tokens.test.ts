// Tests of the storage of tokens, of the token file and of the state folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Locked, onceUnlocked } from './file-lock.ts';
import { openStateDir } from './state-dir.ts';
import { readTokenFile } from './token-file.ts';
import { Tokens } from './tokens.ts';

// File functions behave as usual, unless a test replaces them.
vi.mock('node:fs', { spy: true });

/**
 * Program that changes the file slowly, like another gateway: it locks the file, and later writes it without
 * any token.
 */
const OTHER_PROCESS = `
const fs = require('node:fs');
const [path] = process.argv.slice(1);
fs.writeFileSync(path + '.lock', require('node:os').hostname() + ' ' + process.pid + ' x', { flag: 'wx' });
console.log('at it');
setTimeout(() => {
  fs.writeFileSync(path, '{"tokens":[]}');
  fs.rmSync(path + '.lock');
}, 300);`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-tokens-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('Tokens', () => {
  it('keep their name and role, even after a restart', () => {
    const { token, identity } = new Tokens(dir).create({ name: 'ci', role: 'observer', ttlMs: null });
    expect(identity).toMatchObject({ name: 'ci', role: 'observer', expiresAtMs: null });
    expect(new Tokens(dir).verify(token)).toEqual(identity);
  });

  it('are not accepted in any other spelling', () => {
    const tokens = new Tokens(dir);
    const { token } = tokens.create({ name: 'ci', role: 'observer', ttlMs: null });
    for (const wrong of ['', token.slice(1), `${token} `, token.toUpperCase()])
      expect(tokens.verify(wrong)).toBeNull();
  });

  it('are stored as hashes, in a file only for the owner', () => {
    const { token } = new Tokens(dir).create({ name: 'ci', role: 'agent', ttlMs: null });
    const path = join(dir, 'tokens.json');
    expect(readFileSync(path, 'utf8')).not.toContain(token);
    expect(modeOf(path)).toBe(0o600);
  });

  it('expire, and are then removed', () => {
    vi.useFakeTimers();
    const tokens = new Tokens(dir);
    const { token } = tokens.create({ name: 'page', role: 'operator', ttlMs: 1000 });
    vi.advanceTimersByTime(999);
    expect(tokens.verify(token)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(tokens.verify(token)).toBeNull();
    tokens.create({ name: 'other', role: 'operator', ttlMs: 1000 });
    expect(readFileSync(join(dir, 'tokens.json'), 'utf8')).not.toContain('page');
  });

  it('are all retained when two gateways share one state folder', () => {
    const [one, two] = [new Tokens(dir), new Tokens(dir)];
    const first = one.create({ name: 'page', role: 'operator', ttlMs: null });
    const second = two.create({ name: 'page', role: 'operator', ttlMs: null });
    const later = new Tokens(dir);
    expect(later.verify(first.token)).toEqual(first.identity);
    expect(later.verify(second.token)).toEqual(second.identity);
  });

  it('[AU17] are not changed by two processes at once, so that a revoked token stays revoked', async () => {
    const path = join(dir, 'tokens.json');
    const tokens = new Tokens(dir);
    const victim = tokens.create({ name: 'victim', role: 'operator', ttlMs: null });
    const other = spawn(process.execPath, ['-e', OTHER_PROCESS, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    const mine = await onceUnlocked(() => tokens.create({ name: 'mine', role: 'operator', ttlMs: null }));
    expect(tokens.verify(victim.token)).toBeNull();
    expect(new Tokens(dir).verify(mine.token)).toEqual(mine.identity);
    expect(readdirSync(dir)).toEqual(['tokens.json']);
  });

  it('[AU21] end as soon as the state is readable when they were revoked while it was not', () => {
    vi.useFakeTimers();
    const [tokens, other] = [new Tokens(dir), new Tokens(dir)];
    const victim = tokens.create({ name: 'victim', role: 'operator', ttlMs: null });
    const ended: string[] = [];
    const unwatch = tokens.watch((id) => ended.push(id));
    other.revoke(victim.identity.tokenId);
    const refuse = vi.mocked(readFileSync).mockImplementation(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    expect(tokens.list()).toHaveLength(1);
    vi.advanceTimersByTime(3000);
    expect(ended).toEqual([]);
    refuse.mockRestore();
    vi.advanceTimersByTime(1000);
    expect(ended).toEqual([victim.identity.tokenId]);
    expect(tokens.verify(victim.token)).toBeNull();
    unwatch();
    other.create({ name: 'later', role: 'operator', ttlMs: null });
    vi.mocked(readFileSync).mockClear();
    vi.advanceTimersByTime(5000);
    expect(readFileSync).not.toHaveBeenCalled();
  });

  it('[AU17] end when another process revokes them, even if this gateway’s own change is refused', () => {
    const [tokens, other] = [new Tokens(dir), new Tokens(dir)];
    const { identity } = tokens.create({ name: 'victim', role: 'operator', ttlMs: null });
    const ended: string[] = [];
    tokens.watch((id) => ended.push(id))();
    other.revoke(identity.tokenId);
    expect(tokens.revoke('nobody')).toBe(false);
    expect(ended).toEqual([identity.tokenId]);
  });

  it('[AU17] are not written by a process that has lost its lock by stalling', () => {
    const path = join(dir, 'tokens.json');
    const tokens = new Tokens(dir);
    tokens.create({ name: 'ci', role: 'agent', ttlMs: null });
    const before = readFileSync(path, 'utf8');
    const change = (): unknown =>
      tokens.change(() => {
        writeFileSync(`${path}.lock`, 'somebody else');
        return [];
      });
    expect(change).toThrow(Locked);
    rmSync(`${path}.lock`);
    expect(change).toThrow('was changed by another process in the meantime; try again');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe('somebody else');
  });

  it.each([
    ['that has died', `${hostname()} 4194305 x`, 0],
    ['that stands still', 'elsewhere 1 x', 60],
  ])('[AU17] do not wait for a holder of the lock %s', (_why, holder, ageS) => {
    const lock = join(dir, 'tokens.json.lock');
    writeFileSync(lock, holder);
    utimesSync(lock, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
    const { token, identity } = new Tokens(dir).create({ name: 'ci', role: 'agent', ttlMs: null });
    expect(new Tokens(dir).verify(token)).toEqual(identity);
    expect(readdirSync(dir)).toEqual(['tokens.json']);
  });

  it('are limited for each name, and the newest are retained', () => {
    const tokens = new Tokens(dir);
    const operator = tokens.create({ name: 'me', role: 'operator', ttlMs: null });
    const agents = Array.from({ length: 201 }, () =>
      tokens.create({ name: 'agent', role: 'agent', ttlMs: null }),
    );
    expect(agents.map(({ token }) => tokens.verify(token) !== null).indexOf(true)).toBe(1);
    expect(tokens.verify(operator.token)).toEqual(operator.identity);
  });

  it('[AU16] are limited in total', () => {
    const full = Array.from({ length: 1000 }, (_, at) => ({
      id: `t${at}`,
      name: `n${at}`,
      role: 'agent',
      sha256: '0'.repeat(64),
      createdAtMs: 0,
      expiresAtMs: null,
    }));
    writeFileSync(join(dir, 'tokens.json'), JSON.stringify({ tokens: full }));
    const tokens = new Tokens(dir);
    const one = { name: 'one more', role: 'agent', ttlMs: null } as const;
    expect(() => tokens.create(one)).toThrow('1,000 tokens');
    tokens.revoke('t0');
    expect(tokens.verify(tokens.create(one).token)).toMatchObject({ name: 'one more' });
  });

  it.each(['{', '{}', '[]', '{"tokens":[{"id":"x"}]}'])('are an error in a damaged file (%s)', (content) => {
    const path = join(dir, 'tokens.json');
    writeFileSync(path, content);
    expect(() => new Tokens(dir)).toThrow(`${path} is damaged`);
  });
});

describe('The token file', () => {
  it('is created only for its owner, and keeps its token', () => {
    const path = join(dir, 'token');
    const token = readTokenFile(path);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(modeOf(path)).toBe(0o600);
    expect(readTokenFile(path)).toBe(token);
  });

  const long = 'a'.repeat(32);
  it.each(['', '\n', '\r\n'])('may end with %j', (end) => {
    writeFileSync(join(dir, 'token'), `${long}${end}`, { mode: 0o600 });
    expect(readTokenFile(join(dir, 'token'))).toBe(long);
  });

  it.each(['x', 'a'.repeat(31), `${long} ${long}`, `${long}\n\n`])(
    '[AU20] is refused with %j, which is guessable or cannot be sent',
    (content) => {
      const path = join(dir, 'token');
      writeFileSync(path, content, { mode: 0o600 });
      expect(() => readTokenFile(path)).toThrow(`${path} does not contain a token`);
    },
  );

  it.each([0o640, 0o602, 0o666])('[AU20] is refused when other users can read or write it (%i)', (mode) => {
    const path = join(dir, 'token');
    writeFileSync(path, long);
    chmodSync(path, mode);
    expect(() => readTokenFile(path)).toThrow(`chmod 600 ${path}`);
  });

  it('is an error that names it when it is empty, unreadable or cannot be created', () => {
    const empty = join(dir, 'empty');
    writeFileSync(empty, '\n');
    expect(() => readTokenFile(empty)).toThrow(empty);
    expect(() => readTokenFile(dir)).toThrow(dir);
    expect(() => readTokenFile(join(dir, 'missing', 'token'))).toThrow(join(dir, 'missing', 'token'));
  });

  it('yields an operator whose token is not stored', () => {
    const tokens = new Tokens(dir);
    tokens.accept('secret', 'token file', 'operator');
    expect(tokens.verify('secret')).toMatchObject({ name: 'token file', role: 'operator' });
    expect(new Tokens(dir).verify('secret')).toBeNull();
  });
});

describe('The state folder', () => {
  it('is created as private', () => {
    openStateDir(join(dir, 'a', 'b'));
    expect(modeOf(join(dir, 'a', 'b'))).toBe(0o700);
  });

  it('is used by its real path, so that a symbolic link to it may change later', () => {
    const path = join(realpathSync(dir), 'real');
    mkdirSync(path, { mode: 0o700 });
    symlinkSync('real', join(dir, 'named'));
    expect(openStateDir(join(dir, 'named'))).toBe(path);
  });

  it.each([0o755, 0o770, 0o701])('is refused, with the remedy, when other users can open it (%i)', (mode) => {
    const path = join(dir, 'open');
    mkdirSync(path);
    chmodSync(path, mode);
    expect(() => openStateDir(path)).toThrow(`chmod 700 ${path}`);
  });
});

it.each([
  [
    'replaced by a folder',
    (path: string): void => {
      rmSync(path);
      mkdirSync(path);
    },
    /cannot be read: .+ is a folder, not a file; remove it\. Tokens that the gateway knows stay valid/,
  ],
  ['damaged', (path: string): void => writeFileSync(path, '{'), /cannot be read: .+ is damaged; restore it/],
])('[AU21] a file of tokens that was %s is reported until it is restored', (_, harm, reason) => {
  vi.useFakeTimers();
  const path = join(dir, 'tokens.json');
  const tokens = new Tokens(dir);
  const { token, identity } = tokens.create({ name: 'a', role: 'agent', ttlMs: null });
  const stored = readFileSync(path);
  let trouble: string | null = null;
  const unwatch = tokens.watch(
    () => {},
    (reason) => (trouble = reason),
  );
  harm(path);
  vi.advanceTimersByTime(3000);
  expect(trouble).toMatch(reason);
  expect(tokens.verify(token)).toEqual(identity);
  rmSync(path, { recursive: true });
  writeFileSync(path, stored);
  vi.advanceTimersByTime(1000);
  expect(trouble).toBeNull();
  expect(tokens.verify(token)).toEqual(identity);
  unwatch();
});

it('[AU21] a token revoked while the state is unwritable ends at once, and the change is written later', async () => {
  vi.useFakeTimers();
  try {
    const tokens = new Tokens(dir);
    const { token, identity } = tokens.create({ name: 'a', role: 'agent', ttlMs: null });
    const ended: string[] = [];
    const unwritten: (string | null)[] = [];
    const unwatch = tokens.watch(
      (id) => ended.push(id),
      (reason) => unwritten.push(reason),
    );
    vi.mocked(writeFileSync).mockImplementation(() => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    });
    expect(tokens.revoke(identity.tokenId)).toBe(true);
    expect(ended).toEqual([identity.tokenId]);
    expect(tokens.verify(token)).toBeNull();
    expect(tokens.list()).toEqual([]);
    expect(unwritten.at(-1)).toMatch(/valid again after a restart, because .+ cannot be written \(EMFILE/);
    expect(new Tokens(dir).list()).toHaveLength(1);
    vi.mocked(writeFileSync).mockReset();
    await vi.advanceTimersByTimeAsync(1100);
    expect(unwritten.at(-1)).toBeNull();
    expect(ended).toEqual([identity.tokenId]);
    expect(new Tokens(dir).list()).toEqual([]);
    expect(tokens.revoke(identity.tokenId)).toBe(false);
    unwatch();
  } finally {
    vi.mocked(writeFileSync).mockReset();
    vi.useRealTimers();
  }
});
