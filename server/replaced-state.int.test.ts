// Tests of files of the state folder that are replaced by something else before a start: rules HS6 and AU31.
import { execFile } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NamedNotes } from './journal/named-notes.ts';
import { runFolder } from './keeper/wire/place.ts';
import { run } from './testing/past-runs.ts';
import { INDEXES_SOON } from './testing/indexes-soon.ts';
import type { Replaced } from './testing/start-replaced.ts';
import { TestServer } from './testing/test-server.ts';

/** Time after which a start counts as hanging; all starts together take a few seconds on an idle machine. */
const HANGS_MS = 200_000;
const DRIVER = join(import.meta.dirname, 'testing/start-replaced.ts');

let dir: string;
let base: string;
let files: readonly string[];

/** Copies the state folder of a gateway with history and a running process, as a power failure would leave it. */
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-replaced-'));
  base = join(dir, 'state');
  const server = await TestServer.start(INDEXES_SOON, { keeper: 'on' });
  const [agent, admin] = [await server.client('agent'), await server.client('admin')];
  await admin.request('console/setPolicy', { policy: 'never' });
  await run(agent, 'echo short');
  await run(agent, 'seq 100000');
  const typed = await agent.start(['bash', '-c', 'read -r line; echo "$line"'], { pipeStdin: true });
  await agent.request('process/write', { processId: typed.processId, chunk: btoa('typed\n'), writeId: '1' });
  await agent.request('process/wait', { processId: typed.processId, until: 'closed', waitMs: 60_000 });
  await agent.start(['bash', '-c', 'echo running; exec sleep 1000'], {});
  const hasAll = (): void => expect(namesIn(server.stateDir)).toEqual(expect.arrayContaining(MUST_HAVE));
  await vi.waitFor(hasAll, { timeout: 20_000 });
  cpSync(server.stateDir, base, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
  await server.stop();
  const failed = (error: Error | null): never => {
    throw error ?? new Error('not failed');
  };
  const notes = new NamedNotes(join(runFolder(base), 'agents.jsonl'), failed);
  notes.set('kind', 'name', {});
  notes.close();
  files = filesIn(base);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true }));

/** Kinds of files that the folder must have, with placeholders for keys and months. */
const MUST_HAVE = [
  'approvals.json',
  'audit.jsonl',
  'audit-visits.jsonl',
  'cli-token',
  'gateway.json',
  'keeper.lock',
  'keeper.log',
  'rec/MONTH/KEY.xcr',
  'rec/MONTH/KEY/00000001.xci',
  'rec/MONTH/KEY/00000001.xcr',
  'rec/MONTH/KEY/marks.jsonl',
  'rec/MONTH/KEY/meta.json',
  'rec/MONTH/catalog.jsonl',
  'rec/open/KEY',
  'run/KEY/00000001.xcr',
  'run/KEY/notes.jsonl',
  'run/KEY/seq.idx',
  'run/sessions.jsonl',
  'tokens.json',
];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();

const generic = (file: string): string =>
  file.replace(/\/\d{4}-\d\d\//, '/MONTH/').replace(/\/[\w-]{16}(?=$|[./])/, '/KEY');
const namesIn = (folder: string): string[] => filesIn(folder).map(generic);

async function started(what: string): Promise<readonly Replaced[]> {
  // One file of each kind is enough.
  const some = [...new Map(files.map((file) => [generic(file), file])).values()];
  const words = ['--max-old-space-size=400', '--import', 'tsx', DRIVER, base, what, ...some];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    timeout: HANGS_MS,
    killSignal: 'SIGKILL',
  }).catch((error: unknown) => error as { readonly stdout: string });
  const lines = stdout.split('\n').slice(0, -1);
  const all = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Replaced);
  expect(all.at(-1)?.file, `the start hangs with ${lines.at(-1)}`).toBe(some.at(-1));
  return all;
}

/**
 * Files whose replacement makes the gateway refuse to start, instead of losing, for example, a policy or a token
 * unnoticed.
 */
const NEEDED = ['approvals.json', 'keeper.lock', 'keeper.log', 'tokens.json'];

describe.runIf(process.platform === 'linux')('[HS6][AU31] A gateway starts or names the file when', () => {
  it.concurrent.each([
    ['a FIFO', NEEDED],
    ['a device', NEEDED],
    ['a folder', [...NEEDED, 'cli-token', 'gateway.json']],
  ])(
    '%s is in place of any file of its state folder',
    async (what, needed) => {
      const all = await started(what);
      const refusals = all.flatMap(({ refusal }) => refusal ?? []);
      expect(refusals.toSorted()).toEqual(
        needed.map((file) => `${file} is ${what}, not a file; remove it`).toSorted(),
      );
      expect(all.flatMap(({ defects }) => defects)).toEqual([]);
    },
    240_000,
  );
});
