// Decisions about a workspace that another process repeatedly replaces with a link: rule SB17.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { workspaceWrite } from '../../testing/intents.ts';
import { decidedPolicy } from './decided.ts';
import { SandboxRefusal } from './refusal.ts';
import { isWithin } from './policy.ts';
import { chosenFolder } from './workspaces.ts';

/** A program that alternately makes the workspace a folder, a link, and absent. */
const EXCHANGE = `
const { renameSync } = require('node:fs');
const [, , name, folder, link] = process.argv;
process.send('ready');
for (;;) {
  renameSync(folder, name); renameSync(name, folder);
  renameSync(link, name); renameSync(name, link);
}`;
const SYSTEM = '/etc';

let base: string;
let exchanging: ChildProcess;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'decided-')));
  mkdirSync(join(base, 'folder/.git'), { recursive: true });
  symlinkSync(SYSTEM, join(base, 'link'));
  writeFileSync(join(base, 'exchange.cjs'), EXCHANGE);
  exchanging = fork(
    join(base, 'exchange.cjs'),
    ['work', 'folder', 'link'].map((name) => join(base, name)),
    {
      execArgv: [],
    },
  );
  await once(exchanging, 'message');
});
afterEach(async () => {
  const gone = once(exchanging, 'exit');
  exchanging.kill('SIGKILL');
  await gone;
  rmSync(base, { recursive: true });
});

it.each([
  ['without --workspace', () => []],
  ['with --workspace around it', () => [chosenFolder(base)]],
  ['with --workspace', () => [{ named: join(base, 'work'), real: join(base, 'work') }]],
])('[SB17] a decision %s never grants a path that it has not checked', (_, chosen) => {
  const work = join(base, 'work');
  const intent = workspaceWrite(work) as SandboxIntent;
  const seen = { granted: 0, refused: 0 };
  for (let tries = 0; tries < 1500; tries += 1) {
    try {
      const asked = {
        floor: 'workspace-write',
        intent,
        cwd: work,
        tmpdir: undefined,
        chosen: chosen(),
      } as const;
      const { grants } = decidedPolicy(asked, []);
      const written = grants.filter(({ access }) => access === 'write').map(({ path }) => path);
      expect(written.filter((path) => isWithin(path, SYSTEM))).toEqual([]);
      seen.granted += 1;
    } catch (error) {
      if (!(error instanceof SandboxRefusal)) throw error;
      seen.refused += 1;
    }
  }
  expect(seen.granted).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
