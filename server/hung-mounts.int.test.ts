// Tests that a file system that does not answer fails only the requests that touch it, with the built gateway.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from './testing/command-line.ts';
import { HungMount, whyNoHungMounts, withOwnMounts } from './testing/hung-mount.ts';
import { readOnly, workspaceWrite } from './testing/intents.ts';
import { TestClient } from './testing/test-client.ts';

const why = whyNoHungMounts();
const options = {
  maxDepth: 8,
  maxDirectories: 100,
  maxEntries: 100,
  followDirectorySymlinks: true,
  pruneHiddenDirectories: false,
};
const uri = (path: string): string => `file://${path}`;

describe.skipIf(why !== null)(`A mount that does not answer${why === null ? '' : ` (${why})`}`, () => {
  let folder: string;
  let line: CommandLine;
  const mounts: HungMount[] = [];
  let person: TestClient;
  let agent: TestClient;
  let agentToken: string;
  const clients: TestClient[] = [];
  const at = (path: string): string => join(folder, path);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hung-mounts-'));
    for (const name of ['hung', 'work', 'work/below']) mkdirSync(at(name));
    symlinkSync(at('hung/inside'), at('link'));
  });
  afterEach(async () => {
    // The mounts end first, since a gateway that waits for one could not end.
    for (const mount of mounts.splice(0)) await mount.end();
    for (const client of clients.splice(0)) client.ws.terminate();
    await line.stop();
    rmSync(folder, { recursive: true });
  });

  async function connect(token: string): Promise<TestClient> {
    const client = await TestClient.open(line.url, { token });
    clients.push(client);
    await client.initialize();
    return client;
  }

  const hang = async (path: string): Promise<number> =>
    mounts.push(await HungMount.at(at(path), line.gateway.pid ?? Number.NaN));

  async function begin(flags: readonly string[], path = 'hung'): Promise<void> {
    line = await CommandLine.start({ flags, inside: withOwnMounts });
    const { stdout } = await line.outcome(['token', 'create', 'Agent', '--role', 'agent']);
    agentToken = stdout.toString().trim();
    person = await connect(line.announced().token);
    agent = await connect(agentToken);
    await hang(path);
  }

  /** Expects requests that do not touch the hung mount to work. */
  async function othersWork(): Promise<void> {
    expect((await fetch(new URL('/healthz', line.url.replace('ws', 'http')))).status).toBe(200);
    await person.request('fs/getMetadata', { path: uri('/tmp') });
    const { key } = await person.start(['echo', 'works'], { session: 'console', cwd: uri('/') });
    await person.waitOutput(key, 'works');
  }

  /** Expects a request to fail because `path` does not answer, while everything else works. */
  async function onlyFails(request: Promise<unknown>, path: string): Promise<void> {
    await Promise.all([expect(request).rejects.toThrow(`${at(path)} does not answer`), othersWork()]);
  }

  it.each([
    [['--keeper', 'off', '--sandbox', 'workspace-write', '--approvals', 'always']],
    [['--keeper', 'off', '--sandbox', 'workspace-write']],
    [['--keeper', 'off']],
  ])('[LI21] fails starts that name it, and nothing else: %j', async (flags) => {
    await begin(flags);
    await onlyFails(agent.start(['echo', 'no'], { cwd: uri(at('hung')) }), 'hung');
    await onlyFails(agent.start(['echo', 'no'], { cwd: uri(at('link')) }), 'link');
    await onlyFails(agent.start([at('hung/program')]), 'hung/program');
    await onlyFails(agent.start(['echo'], { env: { PATH: `${at('hung')}:/bin` } }), 'hung/echo');
    await onlyFails(agent.start(['echo'], { sandbox: workspaceWrite(at('hung')) }), 'hung');
  });

  it('[LI21] fails sandboxed starts where it is below a workspace, and nothing else', async () => {
    await begin(['--keeper', 'off', '--sandbox', 'workspace-write', '--workspace', at('work')], 'work/below');
    // A workspace in /tmp is part of every sandbox, wherever the command runs.
    for (const cwd of [at('work'), '/']) {
      const refused = expect(agent.start(['echo', 'no'], { cwd: uri(cwd) })).rejects.toThrow(
        `${at('work/below')} does not answer`,
      );
      expect((await fetch(new URL('/healthz', line.url.replace('ws', 'http')))).status).toBe(200);
      await person.request('environment/info');
      await refused;
    }
    for (const mount of mounts) await mount.end();
  });

  it('[LI21] does not stop a keeper: output continues, processes end and new ones start', async () => {
    await begin([]);
    const ticks = await agent.start(['sh', '-c', 'while :; do echo tick; sleep 0.1; done'], {
      cwd: uri('/'),
    });
    await agent.waitOutput(ticks.processId, 'tick');
    await onlyFails(agent.start(['echo', 'no'], { cwd: uri(at('hung')) }), 'hung');
    await agent.waitOutput(ticks.processId, 'tick');
    await agent.request('process/terminate', { processId: ticks.processId });
    await agent.waitEvent(ticks.processId, 'process/closed');
  });

  it('[LI21] lets input that follows a start wait for it, where paths may hang', async () => {
    await begin(['--keeper', 'off']);
    const started = agent.start(['cat'], { processId: 'cat', pipeStdin: true, cwd: uri('/') });
    await agent.write({ processId: 'cat' }, 'typed');
    await started;
    await agent.waitOutput('cat', 'typed');
  });

  it('[FS10] fails file requests that touch it, and none of other connections', async () => {
    await begin(['--keeper', 'off']);
    const five = await Promise.all(Array.from({ length: 5 }, () => connect(agentToken)));
    const path = 'hung/file';
    const refused = five.map((each) =>
      expect(each.request('fs/getMetadata', { path: uri(at(path)) })).rejects.toThrow('does not answer'),
    );
    await othersWork();
    await agent.request('fs/getMetadata', { path: uri('/tmp') });
    await Promise.all(refused);
  });

  it('[FS10] fails file requests that reach it by a link, a copy, a tree or a sandbox', async () => {
    await begin(['--keeper', 'off']);
    writeFileSync(at('file'), 'text');
    await onlyFails(agent.request('fs/readFile', { path: uri(at('link')) }), 'link');
    const copy = { sourcePath: uri(at('file')), destinationPath: uri(at('hung/file')), recursive: false };
    await onlyFails(agent.request('fs/copy', copy), 'hung/file');
    await onlyFails(agent.request('fs/remove', { path: uri(folder) }), 'hung');
    await onlyFails(agent.request('fs/walk', { path: uri(folder), options }), 'hung');
    const sandbox = readOnly(at('hung'));
    await onlyFails(agent.request('fs/readFile', { path: uri(at('file')), sandbox }), 'hung');
    await onlyFails(
      agent.request('fs/watchMissing', { watchId: 1, missing: [uri(at('hung/file'))], present: null }),
      'hung/file',
    );
  });

  it('[FS10] leaves out a link to it where a folder is listed or walked', async () => {
    await begin(['--keeper', 'off']);
    symlinkSync(at('hung'), at('work/link'));
    writeFileSync(at('work/file'), '');
    const path = uri(at('work'));
    const listing = agent.request<{ entries: { fileName: string }[] }>('fs/readDirectory', { path });
    await othersWork();
    expect((await listing).entries.map(({ fileName }) => fileName).toSorted()).toEqual(['below', 'file']);
    const walked = agent.request<{ entries: object[] }>('fs/walk', { path, options });
    await othersWork();
    expect((await walked).entries).toHaveLength(2);
  });

  it('[FS10] fails requests for files that were opened before; the ends of their connections delay no others', async () => {
    await begin(['--keeper', 'off']);
    writeFileSync(at('work/file'), 'text');
    const path = uri(at('work/file'));
    const five = await Promise.all(Array.from({ length: 5 }, () => connect(agentToken)));
    for (const each of five) await each.request('fs/open', { handleId: 'h', path });
    await hang('work');
    const read = { handleId: 'h', offset: 0, len: 4 };
    await onlyFails((five[0] as TestClient).request('fs/readBlock', read), 'work/file');
    for (const each of five) each.ws.terminate();
    await othersWork();
  });

  it('[FS10] fails changes before approval, and requests for configuration', async () => {
    await begin(['--keeper', 'off', '--approvals', 'always']);
    await onlyFails(agent.request('fs/remove', { path: uri(at('hung/file')) }), 'hung/file');
    const home = join(dirname(line.stateDir), '.codex');
    mkdirSync(home);
    writeFileSync(join(home, 'config.toml'), 'model = "x"');
    const config = { cwd: uri(at('hung')), configPaths: [['model']], requirementsPaths: [] };
    await onlyFails(agent.request('environmentConfig/read', config), 'hung/.git');
  });
});
