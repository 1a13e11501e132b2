// A gateway that starts again and again on a copy of one state folder, each time with another file replaced; in
// a separate process, which a test can kill when a start hangs. Arguments: the folder, the replacement, and the
// files.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { INDEXES_SOON } from './indexes-soon.ts';
import { TestClient } from './test-client.ts';
import { TestServer } from './test-server.ts';

/** Result for one file, as a line of JSON after a line with its path. */
export interface Replaced {
  /** Path in the state folder. */
  readonly file: string;
  /** Message of the error; null when the gateway listened, served its history and ran a process. */
  readonly refusal: string | null;
  readonly defects: readonly string[];
}

const REPLACEMENTS: { readonly [what: string]: (path: string) => void } = {
  'a FIFO': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a device': (path) => symlinkSync('/dev/zero', path),
};

/** Requests the history, and runs a process to its end, which reads and writes most files. */
async function exercise({ url, stateDir }: TestServer, isSearched: boolean): Promise<void> {
  const client = await TestClient.open(url, { token: findLocalGateway(stateDir)?.token ?? '' });
  await client.initialize();
  await client.request('console/history', {});
  if (isSearched) await client.request('console/historySearch', { query: '12' });
  const start = { processId: 'p', argv: ['echo', 'again'], cwd: 'file:///', env: {}, tty: false };
  await client.request('process/start', start);
  await client.request('process/wait', { processId: 'p', until: 'closed', waitMs: 30_000 });
  client.ws.terminate();
}

const [, , base = '', what = '', ...files] = process.argv;
const put = REPLACEMENTS[what];
if (!put) throw new Error(`unknown replacement: ${what}`);
const alone = await TestServer.start(INDEXES_SOON, { keeper: 'off' });
const withKeeper = await TestServer.start(INDEXES_SOON, { keeper: 'on' });
for (const file of files) {
  // Starting a keeper takes most of the time of a start, and is needed only for the keeper's own files.
  const server = /^(?:keeper\.|run\/)/.test(file) ? withKeeper : alone;
  // The file is printed before the start, so that the last line of output shows with which file a start hangs.
  process.stdout.write(`${file}\n`);
  const known = server.defects.length;
  let refusal: string | null = null;
  try {
    await server.restart(() => {
      rmSync(server.stateDir, { recursive: true });
      cpSync(base, server.stateDir, { recursive: true });
      const path = join(server.stateDir, file);
      rmSync(path);
      put(path);
    });
    // A search starts a thread, which takes longer than everything else, so there is one only for replaced recordings.
    await exercise(server, file.startsWith('rec/'));
  } catch (error) {
    refusal = (error as Error).message.replaceAll(`${server.stateDir}/`, '');
  }
  const replaced: Replaced = { file, refusal, defects: server.defects.slice(known) };
  process.stdout.write(`${JSON.stringify(replaced)}\n`);
}
await alone.stop();
await withKeeper.stop();
process.exit(0);
