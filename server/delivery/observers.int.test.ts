// Tests that observers never receive secrets by any method: rules SC4 and SC5.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProcessInfo, WatchResult } from '../../protocol/console.ts';
import type { SearchResult, Tile } from '../../protocol/looks.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
let operator: TestClient;
let observer: TestClient;

const [SECRET = ''] = SECRET_VECTORS.map(({ secret }) => secret);
const TOKEN = `ghp_${SECRET}`;
const MASKED = `ghp_${'*'.repeat(SECRET.length)}`;

beforeEach(async () => {
  server = await TestServer.start({ tileMs: 20, changedLaterMs: 20 });
  agent = await server.client('agent');
  operator = await server.client('operator');
  observer = await server.client('observer');
});
afterEach(() => server.stop());

/** Command that prints two environment variables, with a pause in between; clients see it without the environment. */
const HALVES = ['sh', '-c', 'printf "%s" "$ONE"; sleep 0.2; printf "%s\\n" "$TWO"; exec cat'];
const halves = (text: string): object => ({
  env: { PATH: '/usr/bin:/bin', ONE: text.slice(0, 20), TWO: text.slice(20) },
});

const tileText = (client: TestClient, key: string): string =>
  client.log
    .filter(({ method }) => method === 'console/tilesChanged')
    .flatMap(({ params }) => (params as { tiles: Tile[] }).tiles)
    .filter((tile) => tile.key === key)
    .map(({ lines }) => lines.map((runs) => runs.map(({ text }) => text).join('')).join('\n'))
    .join('\n\n');

it.each([{ tty: false }, { tty: true }])(
  '[SC4] secrets in output are masked for observers only: %j',
  async ({ tty }) => {
    await observer.request('console/watch', {});
    const { processId, key } = await agent.start(HALVES, { tty, ...halves(`token: ${TOKEN} end`) });
    for (const client of [operator, observer]) {
      await client.request('process/attach', { key, afterSeq: 0 });
      await client.request('console/tiles', { keys: [key] });
      await client.waitOutput(key, 'end');
      await client.until(() => tileText(client, key).includes('end'), 'a picture');
    }
    await agent.waitOutput(processId, `token: ${TOKEN} end`);
    expect(operator.output(key).toString()).toContain(TOKEN);
    expect(observer.output(key).toString()).toBe(operator.output(key).toString().replaceAll(TOKEN, MASKED));

    // Returns the events; masking secrets must not change their sizes.
    const read = async (client: TestClient): Promise<{ seq: number; chunk: string }[]> =>
      (await client.request<{ chunks: { seq: number; chunk: string }[] }>('process/read', { key })).chunks;
    const [whole, masked] = [await read(operator), await read(observer)];
    expect(masked.map(({ seq, chunk }) => [seq, chunk.length])).toEqual(
      whole.map(({ seq, chunk }) => [seq, chunk.length]),
    );

    if (tty) {
      for (const scrollback of [undefined, 10]) {
        const params = { key, ...(scrollback !== undefined && { scrollback }) };
        const data = async (client: TestClient): Promise<string> =>
          Buffer.from(
            (await client.request<{ data: string }>('process/snapshot', params)).data,
            'base64',
          ).toString();
        expect(await data(operator)).toContain(TOKEN);
        expect(await data(observer)).toContain(MASKED);
      }
    }
    const search = (client: TestClient, query: string): Promise<SearchResult> =>
      client.request('console/search', { query });
    expect((await search(operator, SECRET.slice(3, 12))).hits).toHaveLength(1);
    expect((await search(observer, SECRET.slice(3, 12))).hits).toEqual([]);
    expect((await search(observer, 'token:')).hits[0]?.text).toBe(`token: ${MASKED} end`);
    expect(tileText(operator, key)).toContain(TOKEN);

    const { processes } = await observer.request<WatchResult>('console/watch', {});
    expect(processes[0]?.lastLine).toBe(`token: ${MASKED} end`);
    const received = JSON.stringify(observer.log);
    for (const part of [SECRET, SECRET.slice(0, 12), SECRET.slice(-12)]) expect(received).not.toContain(part);
  },
);

it('[SC4] masks the processId in every push about the process, for observers only', async () => {
  const processId = `mine ${TOKEN}`;
  const { key } = await agent.start(['sh', '-c', 'read line; echo "$line"; exit 3'], {
    processId,
    tty: true,
    size: { rows: 24, cols: 80 },
  });
  for (const client of [operator, observer]) await client.request('process/attach', { key, afterSeq: 0 });
  await agent.request('process/resize', { processId, rows: 30, cols: 90 });
  await agent.write({ processId }, 'done\n');
  for (const client of [operator, observer]) await client.waitEvent(key, 'process/closed');
  const names = (client: TestClient): unknown[] =>
    client.events(key).map(({ params }) => params?.['processId']);
  const methods = new Set(observer.events(key).map(({ method }) => method));
  expect(methods).toEqual(new Set(['process/output', 'process/resized', 'process/exited', 'process/closed']));
  expect(new Set(names(operator))).toEqual(new Set([processId]));
  expect(new Set(names(observer))).toEqual(new Set([`mine ${MASKED}`]));
});

it.each(['x'.repeat(60), `\u001b[31m${'y'.repeat(59)}`, '日本語'.repeat(10)])(
  '[SC4] a secret that a terminal has wrapped is masked: %j',
  async (before) => {
    const env = { PATH: '/usr/bin:/bin', BEFORE: before, TOKEN };
    const { key, processId } = await agent.start(
      ['sh', '-c', 'printf "%s %s end" "$BEFORE" "$TOKEN"; exec cat'],
      {
        tty: true,
        env,
      },
    );
    await agent.waitOutput(processId, 'end');
    await observer.request('console/tiles', { keys: [key] });
    await observer.until(() => tileText(observer, key).includes('end'), 'a picture');
    for (const scrollback of [0, 10]) {
      const { data } = await observer.request<{ data: string }>('process/snapshot', { key, scrollback });
      const screen = Buffer.from(data, 'base64').toString();
      expect(screen).toContain('***');
      for (let at = 0; at + 6 <= SECRET.length; at += 1)
        expect(screen).not.toContain(SECRET.slice(at, at + 6));
    }
    for (let at = 0; at + 6 <= SECRET.length; at += 1)
      expect(tileText(observer, key)).not.toContain(SECRET.slice(at, at + 6));
  },
);

it('[SC4] a secret that was printed last is masked in every snapshot', async () => {
  for (const before of ['', '\u001b[5;5H', '\u001b[?1049h\u001b[3;3H', 'x'.repeat(40), 'x'.repeat(60)]) {
    const env = { PATH: '/usr/bin:/bin', BEFORE: before, TOKEN };
    const { key, processId } = await agent.start(
      ['sh', '-c', 'printf "%s%s" "$BEFORE " "$TOKEN"; exec cat'],
      {
        tty: true,
        env,
        size: { rows: 24, cols: 80 },
      },
    );
    await agent.waitOutput(processId, SECRET.slice(-6));
    for (const scrollback of [undefined, 0, 1000]) {
      const { data } = await observer.request<{ data: string }>('process/snapshot', { key, scrollback });
      const screen = Buffer.from(data, 'base64').toString();
      for (let at = 0; at + 4 <= SECRET.length; at += 1)
        expect(screen).not.toContain(SECRET.slice(at, at + 4));
      expect(screen).not.toContain(SECRET.slice(-1));
    }
  }
});

const WORDS = {
  'bells in it': TOKEN.replaceAll(/(.{6})/g, '$1\u0007'),
  'a letter that was printed over': `${TOKEN.slice(0, 12)}x\b${TOKEN.slice(12)}`,
  'a highlighted beginning': `\u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${SECRET}`,
  // Only the bytes of the token are split by the sequence: people read the whole token.
  'a moving cursor in it': `${TOKEN.slice(0, 12)}\u001b[20G${TOKEN.slice(12)}`,
};

it.each(
  Object.entries(WORDS).flatMap(([how, text]) => [false, true].map((tty) => [how, tty, text] as const)),
)(
  '[SC4] a secret with %s is masked in lines, hits and pictures, with a terminal: %j',
  async (how, tty, text) => {
    await observer.request('console/watch', {});
    const { key, processId } = await agent.start(['sh', '-c', 'printf "it: %s\\n" "$TEXT"; exec cat'], {
      tty,
      env: { PATH: '/usr/bin:/bin', TEXT: text },
    });
    await agent.waitOutput(processId, '\n');
    await observer.request('console/tiles', { keys: [key] });
    await observer.until(() => tileText(observer, key).includes('it:'), 'a picture');
    const { processes } = await observer.request<WatchResult>('console/watch', {});
    const { hits } = await observer.request<SearchResult>('console/search', { query: 'it:' });
    const found = await observer.request<SearchResult>('console/search', { query: SECRET.slice(20, 26) });
    expect(processes[0]?.lastLine).toMatch(/^it: /);
    expect(hits).toHaveLength(1);
    expect(found.hits).toEqual([]);
    const received = [processes[0]?.lastLine, hits[0]?.text, tileText(observer, key)].join('\n');
    if (how !== 'a moving cursor in it' || !tty) expect(received).not.toContain(SECRET.slice(20, 26));
  },
);

it('[SC4] secrets in the title, label, metadata and notifications of a process are masked', async () => {
  for (const client of [operator, observer]) await client.request('console/watch', {});
  const script = `printf '\\033]0;%s\\007\\033]9;%s\\007' "$1" "$1"; exec cat`;
  const { key } = await operator.start(['sh', '-c', script, 'sh', TOKEN], {
    session: 'console',
    tty: true,
    label: `with ${TOKEN}`,
    metadata: { title: TOKEN },
  });
  const infoOf = (client: TestClient): ProcessInfo | undefined =>
    client.log
      .flatMap(({ params, result }) => ((params ?? result ?? {}) as Partial<WatchResult>).processes ?? [])
      .findLast((info) => info.key === key && info.title !== null && info.notification !== null);
  const [whole, masked] = [
    await operator.until(() => infoOf(operator), 'the title'),
    await observer.until(() => infoOf(observer), 'the title'),
  ];
  expect(whole).toMatchObject({ title: TOKEN, label: `with ${TOKEN}`, notification: { text: TOKEN } });
  expect(masked).toMatchObject({
    title: MASKED,
    label: `with ${MASKED}`,
    metadata: { title: MASKED },
    argv: ['sh', '-c', script, 'sh', MASKED],
    notification: { text: MASKED },
  });
  expect(JSON.stringify(operator.log)).toContain(SECRET);
  expect(JSON.stringify(observer.log)).not.toContain(SECRET.slice(0, 12));
});

it('[SC4] secrets in the working directory, the processId and metadata keys of a process are masked', async () => {
  const cwd = join(server.stateDir, TOKEN);
  mkdirSync(cwd);
  await agent.start(['true'], { processId: `p ${TOKEN}`, cwd: pathToFileURL(cwd).href });
  await operator.start(['true'], { session: 'console', metadata: { [TOKEN]: 'x' } });
  const { processes } = await observer.request<WatchResult>('console/watch', {});
  expect(processes).toHaveLength(2);
  expect(processes).toContainEqual(
    expect.objectContaining({ processId: `p ${MASKED}`, cwd: join(server.stateDir, MASKED) }),
  );
  expect(processes).toContainEqual(expect.objectContaining({ metadata: { [MASKED]: 'x' } }));
  expect(JSON.stringify(processes)).not.toContain(SECRET.slice(0, 12));
});

it('[SC5] secrets in command lines, working directories, paths and addresses are masked in the audit log', async () => {
  const cwd = join(server.stateDir, '..', TOKEN);
  mkdirSync(cwd);
  const { key, processId } = await agent.start(['echo', TOKEN], { cwd: pathToFileURL(cwd).href });
  await agent.waitEvent(processId, 'process/closed');
  const path = pathToFileURL(join(cwd, 'file')).href;
  await agent.request('fs/writeFile', { path, dataBase64: 'eA==' });
  const audit = readFileSync(join(server.stateDir, 'audit.jsonl'), 'utf8');
  expect(audit).toContain(key);
  expect(audit).toContain(MASKED);
  expect(audit).not.toContain(SECRET.slice(0, 12));
});

const OVERWRITTEN = {
  'its first letters overwritten': `${TOKEN}\r#`,
  'a letter within it overwritten': `${TOKEN}\u001b[1;9H#`,
  'a letter placed before it': `${TOKEN}\u001b[2;1Htotal\u001b[2;6H${TOKEN}`,
  'the rest of its line erased': `${TOKEN}\u001b[1;16H\u001b[K`,
  'its first letters deleted': `${TOKEN}\r\u001b[6P`,
};

async function guestOf(key: string): Promise<TestClient> {
  const admin = await server.client('admin');
  const { url } = await admin.request<{ url: string }>('console/share', { key });
  const { origin, hash } = new URL(url);
  const share = new URLSearchParams(hash.slice(1)).get('share');
  const init = { method: 'POST', headers: { origin }, body: JSON.stringify({ share }) };
  const { token } = (await (await fetch(`${origin}/auth/exchange`, init)).json()) as { token: string };
  const guest = await TestClient.open(server.url, { token });
  await guest.initialize();
  return guest;
}

/** Command that prints more than is retained, so that the redacted screen begins at the retained output. */
const FLOOD = "seq 1 3000 | tr '\\n' ' '; printf '\\033[2J\\033[H';";

it.each(
  Object.entries(OVERWRITTEN).flatMap(([how, text]) =>
    ['', FLOOD].map((flood) => [how, flood, text] as const),
  ),
)('[SC4] a secret with %s is masked in snapshots and pictures, after %j', async (_, flood, text) => {
  await server.stop();
  server = await TestServer.start({ tileMs: 20, retainedBytes: 4096 });
  agent = await server.client('agent');
  observer = await server.client('observer');
  const env = { PATH: '/usr/bin:/bin', TEXT: text };
  const { key, processId } = await agent.start(
    ['sh', '-c', `${flood} printf '%s\\033[20;1Hend' "$TEXT"; exec cat`],
    { tty: true, env, size: { rows: 24, cols: 80 } },
  );
  await agent.waitOutput(processId, 'end');
  for (const viewer of [observer, await guestOf(key)]) {
    await viewer.request('console/tiles', { keys: [key] });
    await viewer.until(() => tileText(viewer, key).includes('end'), 'a picture');
    const shown = [tileText(viewer, key)];
    for (const scrollback of [undefined, 0, 10]) {
      const params = { key, ...(scrollback !== undefined && { scrollback }) };
      const { data } = await viewer.request<{ data: string }>('process/snapshot', params);
      shown.push(Buffer.from(data, 'base64').toString());
    }
    for (const picture of shown) {
      // A snapshot draws the last letter separately from the others.
      expect(picture).toContain('en');
      for (let at = 0; at + 4 <= SECRET.length; at += 1)
        expect(picture).not.toContain(SECRET.slice(at, at + 4));
    }
  }
});
