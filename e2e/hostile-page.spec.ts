// A hostile site in a signed-in person's browser: it reads and changes nothing, and the audit log has its requests.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { Page } from '@playwright/test';
import type { AuditEntry } from '../protocol/audit.ts';
import { expect, sh, test as base } from './fixtures.ts';
import type { Gateway } from './gateway.ts';
import { attack, type Target } from './hostile-page.ts';

const HTML = '<!doctype html><title>A hostile site</title><body>';

/** Test with a hostile site at `hostilePort` of this machine, reachable under any name below localhost. */
const test = base.extend<{
  hostilePort: number;
  rebinding: { port: number; leadTo: (port: number) => void };
}>({
  // oxlint-disable-next-line no-empty-pattern
  hostilePort: async ({}, provide) => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(HTML);
    });
    await provide(await portOf(site));
    site.closeAllConnections();
    site.close();
  },
  /** An address of the hostile site that can be rebound to another port. */
  rebinding: async ({ hostilePort }, provide) => {
    let target = hostilePort;
    const forwarder = createTcpServer((socket) => {
      const onward = connect(target, '127.0.0.1');
      for (const end of [socket, onward])
        end.on('error', () => [socket, onward].forEach((each) => each.destroy()));
      socket.pipe(onward).pipe(socket);
    });
    await provide({ port: await portOf(forwarder), leadTo: (port) => (target = port) });
    forwarder.close();
  },
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const codeIn = (link: string): string => new URL(link).hash.replace('#code=', '');

async function freshLink(gateway: Gateway): Promise<string> {
  const url = new URL('/auth/link', gateway.pageUrl);
  const headers = { authorization: `Bearer ${gateway.tokenOf.Ada}` };
  const answer = await fetch(url, { method: 'POST', headers });
  return ((await answer.json()) as { url: string }).url;
}

async function record(gateway: Gateway): Promise<AuditEntry[]> {
  const agent = await gateway.agent();
  const { entries } = await agent.request<{ entries: AuditEntry[] }>('console/audit', { limit: 1000 });
  await agent.cut();
  return entries;
}

/** Counts the requests that the gateway refused, by method and path. */
function refusedIn(entries: readonly AuditEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { act, details = {} } of entries) {
    const visit = `${String(details['method'])} ${String(details['path'])}`;
    if (act === 'refused') counts[visit] = (counts[visit] ?? 0) + 1;
  }
  return counts;
}

/** Results for a page of another origin, which can read nothing, not even the status. */
const NOTHING_SEEN = {
  'socket-bare': 'closed 1006',
  'socket-guess': 'closed 1006',
  'socket-stolen': 'closed 1006',
  'socket-stolen-in-address': 'closed 1006',
  'fetch-page': 'TypeError',
  'fetch-page-opaque': 'TypeError',
  'fetch-status': 'TypeError',
  'fetch-health-opaque': 'TypeError',
  'fetch-exchange': 'TypeError',
  'fetch-exchange-opaque': 'TypeError',
  'fetch-link': 'TypeError',
  beacon: 'queued',
  script: 'error',
  module: 'error',
  image: 'error',
  style: 'error',
  worker: 'SecurityError',
  'service-worker': 'SecurityError',
};

/**
 * Results for a name rebound to the gateway: requests then have the same origin, and are refused with 421
 * Misdirected Request.
 */
const NOT_AT_HOME = {
  ...NOTHING_SEEN,
  'fetch-page': 'basic 421',
  'fetch-page-opaque': 'basic 421',
  'fetch-status': 'basic 421',
  'fetch-health-opaque': 'basic 421',
  'fetch-exchange': 'basic 421',
  'fetch-exchange-opaque': 'basic 421',
  'fetch-link': 'basic 421',
  // The worker object is created, but its script fails to load.
  worker: 'object',
  'service-worker': 'TypeError',
};

/** Refused requests that are the same from another origin and from a rebound name. */
const COMMON = { 'GET /x?…': 1, 'GET /favicon.svg?…': 1, 'GET /healthz?…': 1, 'POST /auth/exchange?…': 4 };
const FROM_ELSEWHERE: Attempts = {
  seen: NOTHING_SEEN,
  refused: {
    ...COMMON,
    'GET /?…': 11,
    'OPTIONS /status?…': 1,
    'OPTIONS /auth/link?…': 1,
    'POST /auth/link?…': 1,
  },
};
const FROM_REBOUND: Attempts = {
  seen: NOT_AT_HOME,
  refused: { ...COMMON, 'GET /?…': 12, 'GET /status?…': 1, 'GET /sw.js?…': 1, 'POST /auth/link?…': 2 },
};

interface Attempts {
  readonly seen: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, number>>;
}

/**
 * Runs all attempts of one page and checks their results; resolves once the audit log has all expected refusals.
 * The page must stay open until then.
 */
async function attackFrom(
  page: Page,
  gateway: Gateway,
  target: Target,
  { seen, refused }: Attempts,
): Promise<void> {
  const before = (await record(gateway)).length;
  expect(await page.evaluate(attack, target)).toEqual(seen);
  const outstanding = async (): Promise<string[]> => {
    const counts = refusedIn((await record(gateway)).slice(0, -before));
    // There may be more refusals than expected, because browsers retry after a 421.
    return Object.entries(refused).flatMap(([visit, count]) => ((counts[visit] ?? 0) < count ? visit : []));
  };
  await expect.poll(outstanding).toEqual([]);
  const framed = page.frames().filter((frame) => frame !== page.mainFrame());
  expect(framed.filter((frame) => frame.url().startsWith(target.origin))).toEqual([]);
}

test('a hostile site gets nothing from the gateway, on any port and under any name', async ({
  console,
  gateway,
  agent,
  hostilePort,
  rebinding,
  context,
  pageOf,
}) => {
  const { key } = await agent.start(sh('echo ready; cat'), { tty: true });
  await console.open(key);
  const link = await freshLink(gateway);
  const { origin, port } = new URL(gateway.pageUrl);
  // A token and a code must not work from the hostile origin, even if stolen.
  const target: Target = { origin, token: gateway.tokenOf.Ada, code: codeIn(link) };
  for (const host of ['127.0.0.1', 'evil.localhost']) {
    const hostile = await context.newPage();
    await hostile.goto(`http://${host}:${hostilePort}/`);
    await attackFrom(hostile, gateway, target, FROM_ELSEWHERE);
    await hostile.close();
  }
  const rebound = `http://rebound.localhost:${rebinding.port}`;
  const hostile = await context.newPage();
  await hostile.goto(rebound);
  rebinding.leadTo(Number(port));
  expect(await hostile.evaluate(() => localStorage.length)).toBe(0);
  await attackFrom(hostile, gateway, { ...target, origin: rebound }, FROM_REBOUND);

  const acts = (await record(gateway)).map(({ act, who }) => `${who}: ${act}`);
  expect(acts.filter((act) => /signIn|start|input|signal/.test(act))).toEqual([
    'token file: start',
    'operator: signIn',
  ]);
  expect(acts.filter((act) => act.endsWith(': link'))).toEqual(['Ada: link']);
  await console.page.bringToFront();
  await console.type(key, 'still here');
  await console.shows(key, 'still here');
  const friend = await pageOf('Olga');
  await friend.page.evaluate(() => localStorage.clear());
  await friend.page.goto(link);
  await friend.isOnline();
});

test('a hostile site that opens the console cannot control it', async ({
  console,
  gateway,
  hostilePort,
  context,
}) => {
  await console.isOnline();
  const hostile = await context.newPage();
  await hostile.goto(`http://evil.localhost:${hostilePort}/`);
  const opening = context.waitForEvent('page');
  const popup = await hostile.evaluateHandle(
    (address) => window.open(address),
    new URL('/', gateway.pageUrl).href,
  );
  const opened = await opening;
  await expect(opened.locator('[data-connection-state="online"]')).toBeVisible();
  expect(await opened.evaluate(() => window.opener as unknown)).toBeNull();
  await hostile.waitForFunction((its) => its?.closed, popup);
  expect(await opened.evaluate(() => window.name)).toBe('');
  expect(opened.isClosed()).toBe(false);
});
