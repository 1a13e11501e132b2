// Tests that paths are probed by a separate process, with ordinary folders in place of mounts.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { beforeLook } from '../host/hanging.ts';
import { answering, answers, whenAnswered } from './answers.ts';

const AGENT = { tokenId: 'agent', role: 'agent' };
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'answers-')));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (path: string): string => join(folder, path);
const mounts = [
  { point: at('one'), isAutomount: false },
  { point: at('net'), isAutomount: true },
];

describe('A path on a file system that answers', () => {
  it('[LI21] is accepted, whether or not it exists', async () => {
    const paths = ['one', 'one/missing', 'net/host/x', 'net/other', 'local'].map(at);
    await expect(answers(paths, AGENT, mounts)).resolves.toBeUndefined();
    await expect(
      answers(["one/it's", 'one/-e', 'one/two\nlines'].map(at), AGENT, mounts),
    ).resolves.toBeUndefined();
  });

  it('[LI21] is probed once for identical simultaneous requests', () => {
    const ask = () => answers([at('one/same')], AGENT, mounts);
    const first = ask();
    expect(ask()).toBe(first);
    expect(answers([at('one/same')], { ...AGENT, tokenId: 'other' }, mounts)).not.toBe(first);
    return first;
  });

  it('[LI21] needs no process elsewhere', async () => {
    expect(answers([at('local'), '/'], AGENT, mounts)).toBeNull();
    expect(answers([at('one')], AGENT, [])).toBeNull();
    expect(await answering(AGENT)(at('one'), true)).toBe(true);
  });
});

describe('Synchronous look-ups', () => {
  const looks = (...paths: readonly string[]) => {
    let count = 0;
    return () => {
      count += 1;
      for (const path of paths) beforeLook(at(path));
      return count;
    };
  };

  it('[LI21] run at once where nothing may hang', () => {
    expect(whenAnswered(looks('local'), AGENT, mounts)).toBe(1);
    expect(whenAnswered(looks('one'), AGENT, [])).toBe(1);
    const fails = (): never => {
      throw new Error('refused');
    };
    expect(() => void whenAnswered(fails, AGENT, mounts)).toThrow('refused');
  });

  it('[LI21] run again after each part has answered', async () => {
    expect(await whenAnswered(looks('one/a', 'one/b', 'net/x/1', 'net/x/2', 'net/y'), AGENT, mounts)).toBe(4);
  });

  it('[LI21] fail beyond a maximum number of probes', async () => {
    const many = Array.from({ length: 65 }, (_, index) => `net/${index}`);
    await expect(whenAnswered(looks(...many), AGENT, mounts)).rejects.toThrow('more than 64 paths');
  });
});
