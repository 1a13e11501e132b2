// Folders that the floor leaves writable for commands, on a real file system.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceWrite } from '../../testing/intents.ts';
import { TestServer } from '../../testing/test-server.ts';

describe('[SB16] Under the floor workspace-write', () => {
  const PROTECTED = ['.git', '.codex', '.husky', '.vscode', '.claude', '.envrc'];
  let floor: TestServer;
  let repo: string;
  let around: string;
  let work: string;

  beforeAll(() => {
    // A floor leaves /tmp writable, so the folder is elsewhere.
    work = realpathSync(mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'workspaces-')));
  });
  afterAll(() => rmSync(work, { recursive: true }));

  async function writes(cwd: string, at: string, more: object = {}): Promise<boolean> {
    const client = await floor.client('operator');
    const script = ['/bin/sh', '-c', 'mkdir -p "$(dirname "$0")" && echo x > "$0"', at];
    const { processId } = await client.start(script, { cwd: pathToFileURL(cwd).href, ...more });
    return (await client.waitEvent(processId, 'process/exited')).params?.['exitCode'] === 0;
  }

  describe.each([
    ['beside /tmp', () => work],
    ['in /tmp', () => realpathSync(tmpdir())],
  ])('a repository %s', (_where, parent) => {
    beforeAll(async () => {
      // The folder has a separate parent, because everything beside it is searched for protected names.
      around = mkdtempSync(join(parent(), 'around-'));
      repo = join(around, 'repo');
      for (const name of PROTECTED) mkdirSync(join(repo, 'package', name), { recursive: true });
      for (const name of PROTECTED) mkdirSync(join(repo, name, 'nested'), { recursive: true });
      floor = await TestServer.start({}, { sandbox: 'workspace-write' });
    });
    afterAll(async () => {
      await floor.stop();
      rmSync(around, { recursive: true });
    });

    it('is writable except for its protected names', async () => {
      expect(await writes(repo, join(repo, 'new'))).toBe(true);
      for (const name of PROTECTED) expect(await writes(repo, join(repo, name, 'new'))).toBe(false);
    });

    it.each(PROTECTED)('is not writable through a root within a protected name: %s', async (name) => {
      for (const root of [join(repo, name), join(repo, name, 'nested')]) {
        const asked = workspaceWrite(root, { network: 'restricted' });
        expect(await writes(root, join(root, 'new'))).toBe(false);
        expect(await writes(root, join(root, 'new'), { sandbox: asked })).toBe(false);
      }
    });

    it.each([
      ['the folder around it', () => join(repo, '..'), ''],
      ['a folder within it', () => join(repo, 'package'), ''],
      ['a package of it', () => repo, 'package'],
    ])('keeps its protected names when the root is %s', async (_root, root, below) => {
      for (const name of PROTECTED) {
        expect(await writes(root(), join(repo, below, name, 'new')), name).toBe(false);
      }
    });
  });

  it('--workspace determines the writable folders', async () => {
    const [chosen, other] = ['chosen', 'other'].map((name) => join(work, name)) as [string, string];
    for (const folder of [chosen, other]) mkdirSync(folder);
    floor = await TestServer.start({}, { sandbox: 'workspace-write', workspaces: [chosen] });
    expect(await writes(chosen, join(chosen, 'new'))).toBe(true);
    expect(await writes(work, join(chosen, 'second'))).toBe(true);
    expect(await writes(other, join(other, 'new'))).toBe(false);
    expect(await writes(chosen, join(chosen, '.git', 'new'))).toBe(false);
    await floor.stop();
    for (const folder of [chosen, other]) rmSync(folder, { recursive: true });
  });

  describe('a folder of --workspace within a writable folder', () => {
    let chosen: string;
    let inner: string;

    beforeAll(async () => {
      chosen = join(realpathSync(mkdtempSync(join(tmpdir(), 'chosen-'))), 'a', 'work');
      inner = join(work, 'outer', 'inner');
      for (const folder of [chosen, inner]) mkdirSync(folder, { recursive: true });
      const workspaces = [chosen, join(work, 'outer'), inner];
      floor = await TestServer.start({}, { sandbox: 'workspace-write', workspaces });
    });
    afterAll(async () => {
      await floor.stop();
      rmSync(join(chosen, '../..'), { recursive: true });
      rmSync(join(work, 'outer'), { recursive: true });
    });

    it.each([
      ['itself', () => chosen],
      ['the folder around it', () => join(chosen, '..')],
    ])('cannot be moved by a sandboxed command, wherever the command runs: %s', async (_, moved) => {
      const client = await floor.client('operator');
      for (const cwd of [work, chosen]) {
        const { processId } = await client.start(['/bin/sh', '-c', 'mv "$0" "$0.moved"', moved()], {
          cwd: pathToFileURL(cwd).href,
        });
        const { params } = await client.waitEvent(processId, 'process/exited');
        expect(params?.['exitCode']).not.toBe(0);
        expect(existsSync(moved())).toBe(true);
      }
      expect(await writes(work, join(chosen, '.git', 'new'))).toBe(false);
    });

    it.each([
      ['in /tmp', () => chosen],
      ['in another workspace', () => inner],
    ])('is refused once it was replaced by a link, %s', async (_, folder) => {
      const client = await floor.client('operator');
      const target = join(work, 'target');
      mkdirSync(target);
      rmSync(folder(), { recursive: true });
      symlinkSync(target, folder());
      const refused = { message: expect.stringContaining(`the workspace ${folder()} was replaced`) };
      const cwd = pathToFileURL(folder()).href;
      await expect(client.start(['/bin/true'], { cwd })).rejects.toMatchObject(refused);
      const sandbox = workspaceWrite(folder());
      await expect(client.start(['/bin/true'], { sandbox })).rejects.toMatchObject(refused);
      const path = pathToFileURL(join(folder(), 'file')).href;
      const written = { path, dataBase64: '', sandbox };
      await expect(client.request('fs/writeFile', written)).rejects.toMatchObject(refused);
      for (const at of [join(folder(), 'x'), join(target, 'x')]) expect(await writes(work, at)).toBe(false);
      expect(readdirSync(target)).toEqual([]);
      rmSync(folder());
      mkdirSync(folder());
      expect(await writes(folder(), join(folder(), 'again'))).toBe(true);
      rmSync(target, { recursive: true });
    });
  });
});
