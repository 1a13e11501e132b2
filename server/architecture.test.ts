// Who may import whom: the table of docs/architecture.md, held file by file.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const MAX_LINES = 350;

/** Room → the other rooms it may import. `server` are the files directly in it, where the parts meet; `web` is the page. */
const MAY_IMPORT: { readonly [room: string]: readonly string[] | 'all' } = {
  'server/protocol': [],
  'server/rpc': ['server/protocol'],
  'server/transports': ['server/rpc', 'server/protocol'],
  'server/ids': [],
  'server/kept': [],
  'server/process': ['server/protocol', 'server/ids'],
  'server/sandbox': ['server/protocol'],
  'server/delivery': ['server/protocol', 'server/process', 'server/rpc'],
  'server/auth': ['server/protocol', 'server/ids'],
  'server/session': [
    'server/protocol',
    'server/process',
    'server/rpc',
    'server/delivery',
    'server/auth',
    'server/sandbox',
    'server/kept',
  ],
  'server/dialect': [
    'server/protocol',
    'server/process',
    'server/rpc',
    'server/delivery',
    'server/session',
    'server/sandbox',
  ],
  'server/thread': [],
  'server/snapshot': ['server/protocol', 'server/process', 'server/thread'],
  'server/environment': ['server/protocol', 'server/process', 'server/rpc', 'server/session'],
  'server/health': ['server/protocol'],
  'server/metrics': ['server/protocol', 'server/rpc', 'server/health'],
  'server/outbound': ['server/protocol', 'server/rpc', 'server/session', 'server/kept'],
  'server/files': [
    'server/protocol',
    'server/process',
    'server/rpc',
    'server/session',
    'server/sandbox',
    'server/kept',
  ],
  'server/redaction': ['server/protocol', 'server/process'],
  'server/tiles': ['server/protocol', 'server/process', 'server/redaction', 'server/snapshot'],
  'server/search': ['server/protocol', 'server/process', 'server/thread'],
  'server/waiting': ['server/protocol', 'server/process', 'server/thread'],
  'server/usage': ['server/protocol', 'server/process', 'server/thread'],
  'server/console': [
    'server/protocol',
    'server/process',
    'server/rpc',
    'server/delivery',
    'server/session',
    'server/sandbox',
    'server/health',
    'server/metrics',
    'server/logging',
    'server/snapshot',
    'server/usage',
    'server/waiting',
    'server/search',
    'server/tiles',
    'server/redaction',
    'server/auth',
    'server/kept',
  ],
  'server/access': ['server/protocol', 'server/auth', 'server/rpc', 'server/session', 'server/console'],
  'server/audit': ['server/protocol', 'server/auth', 'server/rpc', 'server/session', 'server/kept'],
  'server/logging': ['server/protocol', 'server/process', 'server/session'],
  'server/http': ['server/protocol', 'server/auth'],
  'server/node-client': ['server/protocol', 'server/transports', 'web/client'],
  'server/cli': ['server/protocol', 'server/auth', 'server/sandbox', 'server/logging', 'web/client'],
  server: 'all',
  'web/client': ['server/protocol'],
  web: 'all',
  // It measures what is built, from outside.
  bench: ['bench/measures', 'server/testing'],
  'bench/measures': ['bench'],
};

/** Package → the only files that may import it, types aside. */
const ONLY_IN: readonly (readonly [string: RegExp, files: RegExp])[] = [
  [/^ws$/, /^server\/(transports\/websocket\.ts|cli\/|node-client\/connect\.ts)|^bench\/client\.ts/],
  [/^koffi$/, /^server\/process\/libc\.ts/],
  [/^node:https?$/, /^server\/(http\/|outbound\/|cli\/ask\.ts)/],
  [/^node:/, /^(server|bench)\//],
  // What comes from outside is checked where it comes in: the wire, a request's body, the state on disk.
  [/^zod$/, /^server\/(protocol|http|auth)\//],
  [/^react/, /^web\/.*\.tsx$/],
  [/^zustand$/, /^web\/.*\.tsx$/],
  [/^prom-client$/, /^server\/metrics\//],
  [/^pino$/, /^server\/logging\//],
  [/^@xterm\/headless$/, /^server\/snapshot\//],
  [/^@xterm\/(?!headless$)(?!.*\.css$)/, /^web\/(terminal|download\/terminal-reading\.ts)/],
];

interface Import {
  readonly target: string;
  readonly isType: boolean;
}

function importsOf(source: string): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b([^'";]*?)\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'|[rR]equire\([^\n]*\('([^']+)'\)/g;
  return [...source.matchAll(pattern)].map(([, what, ...targets]) => ({
    target: targets.find((target) => target !== undefined) ?? '',
    isType: what?.trimStart().startsWith('type ') ?? false,
  }));
}

/** `server/process/pty-child.ts` → `server/process`; what lies directly in `server` → `server`; the page is one room. */
function roomOf(path: string): string {
  const room = path.split('/').slice(0, -1).slice(0, 2).join('/');
  return room.startsWith('web/') && room !== 'web/client' ? 'web' : room;
}

function violations(path: string, source: string): string[] {
  const room = roomOf(path);
  const allowed = MAY_IMPORT[room];
  if (allowed === undefined) return [`${room} has no place in the table`];
  return importsOf(source).flatMap(({ target, isType }) => {
    if (target.startsWith('.')) {
      const to = join(dirname(path), target);
      const isFree = allowed === 'all' ? mayMeet(room, to) : [room, ...allowed].includes(roomOf(to));
      return isFree ? [] : [`${room} may not import ${to}`];
    }
    if (isType) return [];
    return ONLY_IN.filter(([name, files]) => name.test(target) && !files.test(path)).map(
      () => `${target} is not for ${path}`,
    );
  });
}

/** Even there, page and gateway share nothing but the protocol. */
const mayMeet = (room: string, to: string): boolean =>
  to.startsWith(`${room}/`) || to.startsWith('server/protocol/');

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = [...filesIn('server'), ...filesIn('web'), ...filesIn('bench')].toSorted();
const isTest = (path: string): boolean => /\.test\.tsx?$|\/testing\//.test(path);

describe('imports only what it may', () => {
  test.each(files.filter((path) => !isTest(path)))('%s', (path) => {
    expect(violations(path, read(path))).toEqual([]);
  });
});

describe('is short, and says first where it stands', () => {
  test.each([...files, ...filesIn('e2e')])('%s', (path) => {
    const lines = read(path).split('\n');
    expect(lines.length - 1).toBeLessThanOrEqual(MAX_LINES);
    expect(lines.find((line) => !line.startsWith('#!'))).toMatch(/^\/\/ \S/);
  });
});

it('the log knows nothing of terminals, which show it', () => {
  const inLog = files.filter((path) => path.startsWith('web/log/'));
  const targets = inLog.flatMap((path) => importsOf(read(path)).map(({ target }) => target));
  expect(targets.length).toBeGreaterThan(0);
  expect(targets.filter((target) => /^\.\.\/(terminal|download)\//.test(target))).toEqual([]);
});

/** As docs/architecture.md says it. */
function inWords(room: string): string {
  const allowed = MAY_IMPORT[room] ?? [];
  if (allowed === 'all') return room === 'server' ? 'all of server' : `all of ${room}, protocol`;
  return allowed.map((each) => each.replace('server/', '')).join(', ') || 'nothing of ours';
}

describe('the table', () => {
  it('is the one of docs/architecture.md', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| `([^`]+)` +\|.*\| (.+?) +\|$/gm)];
    const documented = rows.map(([, path = '', words]) => [path.replace(/\/[^/]*$/, ''), words]);
    const enforced = Object.keys(MAY_IMPORT).map((room) => [room, inWords(room)]);
    expect(new Set(documented.map(String))).toEqual(new Set(enforced.map(String)));
  });

  it.each([
    ['server/protocol/x.ts', "import { a } from '../process/child.ts';"],
    ['server/process/x.ts', "import type { Connection } from '../rpc/connection.ts';"],
    ['server/rpc/x.ts', "import {\n  a,\n  b,\n} from '../session/session.ts';"],
    ['server/rpc/x.ts', "export { a } from '../config.ts';"],
    ['server/session/x.ts', "import { Console } from '../console/console.ts';"],
    ['server/x.ts', "import { createClient } from '../web/client/create-client.ts';"],
    ['server/session/x.ts', "import { WebSocket } from 'ws';"],
    ['server/process/x.ts', "const koffi = createRequire(import.meta.url)('koffi');"],
    ['server/process/x.ts', "const koffi = await import('koffi');"],
    ['server/console/x.ts', "import { createServer } from 'node:http';"],
    ['server/console/x.ts', "import { z } from 'zod';"],
    ['web/client/x.ts', "import { once } from 'node:events';"],
    ['web/client/x.ts', "import { Terminal } from '@xterm/xterm';"],
    ['web/client/x.ts', "import { useState } from 'react';"],
    ['web/x.tsx', "import { Process } from '../server/process/process.ts';"],
    ['web/x.tsx', "import '@xterm/addon-fit';"],
    ['bench/measures/x.ts', "import { createServer } from '../../server/server.ts';"],
    ['server/attic/x.ts', ''],
  ])('catches %s: %s', (path, source) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  it.each([
    ['server/process/x.ts', "import { a } from '../protocol/process.ts';"],
    ['server/transports/websocket.ts', "import { WebSocketServer } from 'ws';"],
    ['server/auth/x.ts', "import type { IncomingMessage } from 'node:http';"],
    ['server/server.ts', "import { Listener } from './http/listener.ts';"],
    ['web/app.tsx', "import '@xterm/xterm/css/xterm.css';"],
  ])('lets %s: %s', (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });

  it('has found the files', () => {
    expect(files).toContain('server/process/event-log.ts');
    expect(files).toContain('web/client/create-client.ts');
  });
});
