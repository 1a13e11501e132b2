// The scope of an approval, at a real gateway: rules AP1, AP3, AP5, AP12 and AP13.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decide, errorOf, GatedServer, list, waits } from '../testing/gated-server.ts';
import { onlyWrite, open, openAround, readOnly, workspaceWrite } from '../testing/intents.ts';
import { TestClient } from '../testing/test-client.ts';

let gated: GatedServer;
let agent: TestClient;
let operator: TestClient;

beforeEach(async () => {
  gated = await GatedServer.start();
  [agent, operator] = [await gated.server.client('agent'), await gated.server.client('operator')];
});
afterEach(() => gated.stop());

/** Expects an approval request from this action, and accepts it for the session. */
async function acceptOnce(doing: Promise<unknown>): Promise<void> {
  await decide(operator, (await waits(operator)).id, 'acceptForSession');
  await doing;
}

async function expectAsked(doing: Promise<unknown>): Promise<void> {
  const error = errorOf(doing);
  await decide(operator, (await waits(operator)).id, 'decline');
  expect((await error)?.message).toBe('declined by the operator');
}

describe('A start that is accepted for the session', () => {
  it('[AP3] does not accept a file whose name equals its script', async () => {
    const cwd = pathToFileURL(gated.folder).href;
    writeFileSync(join(gated.folder, 'echo'), `touch ${gated.marked('ran')}\n`);
    await acceptOnce(agent.start(['bash', '-c', 'echo a'], { cwd }));
    await expectAsked(agent.start(['bash', 'echo', 'a'], { cwd }));
    expect(existsSync(gated.marked('ran'))).toBe(false);
  });

  it('[AP3] requires approval again with another value of any variable', async () => {
    const script = ['sh', '-c', 'eval "$JOB"'];
    const env = { PATH: '/usr/bin:/bin', JOB: 'true' };
    await acceptOnce(agent.start(script, { env }));
    await agent.start(script, { env });
    await expectAsked(agent.start(script, { env: { ...env, JOB: `touch ${gated.marked('ran')}` } }));
    expect(existsSync(gated.marked('ran'))).toBe(false);
  });
});

it('[AP1] a waiting start is reported with the variables that its command mentions', async () => {
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', CI: '1' };
  const started = errorOf(agent.start(['sh', '-c', 'eval "$TZ"'], { env }));
  const { id, variables } = await waits(operator);
  expect(variables).toEqual([{ name: 'TZ', value: 'UTC' }]);
  await decide(operator, id, 'decline');
  await started;
  // A decided request no longer retains its variables.
  for (const params of [{ id }, { all: true }])
    expect((await list(operator, params)).approvals).toMatchObject([{ id, variables: [], moreVariables: 0 }]);
});

it('[AP12] a sandbox that leaves / writable counts as none', async () => {
  const { server } = gated;
  await operator.request('console/setPolicy', { policy: 'on-request' });
  for (const [sandbox, sandboxed] of [
    [open('/'), false],
    [openAround(gated.folder), false],
    [readOnly('/'), true],
  ] as const) {
    const { processId, key } = await agent.start(['cat'], { tty: true, sandbox });
    const wrote = errorOf(agent.write({ processId }, 'a\n'));
    if (sandboxed) expect(await wrote).toBeNull();
    else {
      const asked = await waits(operator);
      expect(asked).toMatchObject({ kind: 'input', key, sandboxed });
      await decide(operator, asked.id, 'decline');
      await wrote;
    }
  }
  await operator.request('console/setPolicy', { policy: 'always' });
  const other = await server.client('agent');
  const started = errorOf(other.start(['true'], { sandbox: open('/') }));
  const { id, sandboxed } = await waits(operator);
  expect(sandboxed).toBe(false);
  await decide(operator, id, 'decline');
  await started;
});

it.each(['path', 'project_roots', 'current_working_directory'] as const)(
  '[AP12] a start whose sandbox makes all files writable by %s is shown without one',
  async (by) => {
    const link = gated.marked('link');
    symlinkSync('/', link);
    for (const [sandbox, sandboxed] of [
      [onlyWrite('/', by), false],
      [onlyWrite('/tmp/..', by), false],
      [onlyWrite(link, by), false],
      // The root stays read-only, because another entry grants only read access to it.
      [workspaceWrite('/'), true],
    ] as const) {
      const started = errorOf(agent.start(['true'], { sandbox }));
      const asked = await waits(operator);
      expect(asked).toMatchObject({ kind: 'start', sandboxed });
      await decide(operator, asked.id, 'decline');
      await started;
    }
  },
);

describe('A change to a file', () => {
  const uri = (path: string): string => pathToFileURL(path).href;
  const write = (path: string, more: object = {}): Promise<unknown> =>
    agent.request('fs/writeFile', { path: uri(path), dataBase64: 'eA==', ...more });

  it('[AP13] waits whatever sandbox the agent requests', async () => {
    const path = gated.marked('a');
    await expectAsked(write(path, { sandbox: workspaceWrite(gated.folder, { network: 'enabled' }) }));
    expect(existsSync(path)).toBe(false);
  });

  it('[AP13] is accepted for the session only with its method and in its folder', async () => {
    mkdirSync(gated.marked('tree'));
    await acceptOnce(write(gated.marked('a')));
    await write(gated.marked('b'));
    const tree = uri(gated.marked('tree'));
    await expectAsked(agent.request('fs/remove', { path: tree, recursive: true, force: true }));
    const copy = (from: string, to: string): Promise<unknown> =>
      agent.request('fs/copy', {
        sourcePath: uri(from),
        destinationPath: uri(gated.marked(to)),
        recursive: false,
      });
    await acceptOnce(copy(gated.marked('a'), 'c'));
    await copy(gated.marked('b'), 'd');
    await expectAsked(copy('/etc/hostname', 'e'));
  });

  it('[AP13] names the target of a link, and needs its own approval when the link’s folder is approved', async () => {
    const outside = mkdirIn('outside');
    const inside = mkdirIn('inside');
    symlinkSync(join(outside, 'made'), join(inside, 'leaf'));
    symlinkSync(outside, join(inside, 'folder'));
    await acceptOnce(write(join(inside, 'a')));
    for (const path of [join(inside, 'leaf'), join(inside, 'folder/made')]) {
      const wrote = errorOf(write(path));
      const asked = await waits(operator);
      expect(asked).toMatchObject({ cwd: join(outside, 'made'), details: `requested as ${path}` });
      await decide(operator, asked.id, 'decline');
      await wrote;
    }
    expect(existsSync(join(outside, 'made'))).toBe(false);
  });

  it('[AP13] changes nothing when its path leads elsewhere by the time of its approval', async () => {
    const [outside, inside] = [join(mkdirIn('outside'), 'made'), join(mkdirIn('inside'), 'leaf')];
    const wrote = errorOf(write(inside));
    const { id } = await waits(operator);
    symlinkSync(outside, inside);
    await decide(operator, id, 'accept');
    expect((await wrote)?.message).toContain(
      'leads to a different file or folder than when approval was requested',
    );
    expect(existsSync(outside)).toBe(false);
  });

  it('[AP13] writes nothing through a link in a folder onto which another is copied', async () => {
    const [outside, onto] = [mkdirIn('outside'), mkdirIn('onto')];
    const from = mkdirIn('from');
    mkdirSync(join(from, 'link'));
    writeFileSync(join(from, 'link/file'), 'new');
    symlinkSync(outside, join(onto, 'link'));
    const copied = errorOf(
      agent.request('fs/copy', {
        sourcePath: pathToFileURL(from).href,
        destinationPath: pathToFileURL(onto).href,
        recursive: true,
      }),
    );
    await decide(operator, (await waits(operator)).id, 'accept');
    expect((await copied)?.message).toContain('is a link, and copies do not follow links');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('[AP13] names the source of a copy, and reports that a folder includes its contents', async () => {
    mkdirSync(gated.marked('tree'));
    const tree = gated.marked('tree');
    const asked = async (doing: Promise<unknown>): Promise<unknown> => {
      const error = errorOf(doing);
      const { id, details, cwd } = await waits(operator);
      await decide(operator, id, 'decline');
      await error;
      return { details, cwd };
    };
    expect(
      await asked(agent.request('fs/remove', { path: uri(tree), recursive: true, force: true })),
    ).toEqual({
      cwd: tree,
      details: 'with all its contents',
    });
    expect(
      await asked(
        agent.request('fs/copy', {
          sourcePath: uri('/etc/hostname'),
          destinationPath: uri(gated.marked('x')),
          recursive: false,
        }),
      ),
    ).toEqual({ cwd: gated.marked('x'), details: 'a copy of /etc/hostname' });
  });

  const mkdirIn = (name: string): string => {
    mkdirSync(gated.marked(name));
    return gated.marked(name);
  };
});

it('[AP13] an HTTP request is reported with its method, query and body, and accepted only for that method', async () => {
  const request = (method: string, more: object = {}): Promise<unknown> =>
    agent.request('http/request', {
      method,
      url: 'http://127.0.0.1:1/path?secret=1',
      headers: [],
      requestId: 'r',
      ...more,
    });
  const accepted = errorOf(request('GET'));
  const asked = await waits(operator);
  expect(asked).toMatchObject({ cwd: 'http://127.0.0.1:1/path', details: 'GET, with the query ?secret=1' });
  await decide(operator, asked.id, 'acceptForSession');
  expect((await accepted)?.message).not.toMatch(/declined/);
  expect((await errorOf(request('GET')))?.message).not.toMatch(/declined/);
  const body = (bytes: string | Uint8Array): object => ({
    headers: [{ name: 'x-key', value: 'hidden' }],
    bodyBase64: Buffer.from(bytes).toString('base64'),
  });
  for (const [bytes, shown] of [
    ['hello\n\u202eyou', String.raw`hello\n\u202eyou`],
    [new Uint8Array([0xff]), /^of 1 bytes?, SHA-256 [0-9a-f]{64}$/],
    ['x'.repeat(9000), /^of 9.*, SHA-256 [0-9a-f]{64}$/],
  ] as const) {
    const other = errorOf(request('DELETE', body(bytes)));
    const second = await waits(operator);
    const [before, after] = (second.details ?? '').split(', with the body ');
    expect(before).toBe('DELETE, with the query ?secret=1, with the headers x-key');
    expect(after).toEqual(typeof shown === 'string' ? shown : expect.stringMatching(shown));
    await decide(operator, second.id, 'decline');
    expect((await other)?.message).toBe('declined by the operator');
  }
  const signedIn = errorOf(request('POST', { url: 'http://ada%21:pw@127.0.0.1:1/' }));
  const third = await waits(operator);
  expect(third).toMatchObject({
    cwd: 'http://127.0.0.1:1/',
    details: 'POST, with a password for the user ada%21',
  });
  await decide(operator, third.id, 'decline');
  await signedIn;
});

it('[AP5] a page that was signed in by the requesting token cannot decide', async () => {
  const { server } = gated;
  const authority = new URL(server.url).host;
  const asker = await server.client('operator');
  const started = errorOf(asker.start(gated.touch('a')));
  const { id } = await waits(operator);
  const answer = await fetch(`http://${authority}/auth/link?role=operator`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token('operator')}` },
  });
  const { url } = (await answer.json()) as { url: string };
  const exchanged = await fetch(`http://${authority}/auth/exchange`, {
    method: 'POST',
    headers: { origin: `http://${authority}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URL(url).hash.replace('#code=', '') }),
  });
  const { token } = (await exchanged.json()) as { token: string };
  const page = await TestClient.open(server.url, { token });
  await page.initialize();
  expect(await errorOf(decide(page, id, 'accept'))).toMatchObject({ code: -32021 });
  await page.cut();
  await decide(await server.client('admin'), id, 'decline');
  await started;
});

it('[AP1] the search of a long command for names of variables ends where the rules stop', async () => {
  const words = Array<string>(2).fill(' xx '.repeat(30_000));
  const env = { PATH: '/usr/bin:/bin', TZ: 'UTC' };
  const started = errorOf(agent.start(['true', ...words, 'TZ'], { env }));
  const { id, variables } = await waits(operator);
  expect(variables).toEqual([]);
  await decide(operator, id, 'decline');
  await started;
});
