// Compares docs/architecture.md with the code: its table with the imports, and its two paths with the calls between
// files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const HOUSES = ['protocol', 'text', 'client', 'server', 'web', 'tools', 'bench'];
const MAX_LINES = 350;
const MOST_ON_A_WAY = 11;
const MOST_IN_A_CELL = 200;
const ENTRIES = ['server', 'web'];

/** Packages and Node modules, each with the only files that may import it; type imports are exempt. */
const ONLY_IN: readonly (readonly [string: RegExp, files: RegExp])[] = [
  [/^ws$/, /^server\/(doors\/websocket\.ts|cli\/)|^client\/node\/connect\.ts|^(bench\/rig|tools)\//],
  [/^koffi$/, /^server\/host\/libc\.ts/],
  [/^node:https?$/, /^server\/(doors\/http\/|methods\/http\/|cli\/(ask|reused-connections)\.ts)/],
  [/^node:/, /^(server|client\/node|bench|tools)\//],
  // Input from outside is validated where it enters, for example in request bodies and state on disk.
  [/^zod$/, /^(protocol|server\/(cli|doors\/http|mcp|policy))\//],
  [/^react/, /^web\/.*\.tsx$/],
  [/^zustand$/, /^web\/.*\.tsx$/],
  [/^prom-client$/, /^server\/ops\//],
  [/^pino$/, /^server\/ops\//],
  [/^@xterm\/headless$/, /^server\/screens\//],
  [/^@xterm\/(?!headless$)(?!.*\.css$)/, /^web\/screen\/(terminal\/|download\/terminal-reading\.ts)/],
];

/** Files of this project, each with the only files that may import it, by value or type; tests are exempt. */
const OWN_ONLY_IN: readonly (readonly [path: RegExp, files: RegExp])[] = [
  // Other folders access a process through its view, since the keeper may be a separate program.
  [/^server\/keeper\/process\.ts$/, /^server\/(keeper\/|sessions\/session\.ts|adoption\/adopt\.ts)/],
  [/^server\/keeper\/(event-log|output-segment|flow-control|writes|acts)\.ts$/, /^server\/keeper\//],
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

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const files = HOUSES.flatMap(filesIn).toSorted();
const isTest = (path: string): boolean => /\.test\.tsx?$|\/testing\//.test(path);
const sources = files.filter((path) => !isTest(path));

/** Expands `a/{b,c}` to the folders `a/b` and `a/c`; any other name is returned alone. */
const unbraced = (name: string): string[] => {
  const [, parent, children] = /^(.*)\{(.+)\}$/.exec(name) ?? [];
  return children === undefined ? [name] : children.split(',').map((child) => `${parent}${child}`);
};

/** Folders, each with the folders that it may import according to the document; null: all that `mayMeet` allows. */
const TABLE: ReadonlyMap<string, readonly string[] | null> = new Map(
  [...read('docs/architecture.md').matchAll(/^\| `([^`]+)\/` +\|.*\| (.+?) +\|$/gm)].map(
    ([, room = '', rooms = '']) => [
      room,
      rooms === 'everything' ? null : rooms === 'nothing' ? [] : rooms.split(', ').flatMap(unbraced),
    ],
  ),
);

/** Returns a sentence for each import that the table or the lists above forbid, or one for a missing row. */
function violations(path: string, source: string): string[] {
  const room = dirname(path);
  const allowed = TABLE.get(room);
  if (allowed === undefined) return [`${room} has no row in the table`];
  return importsOf(source).flatMap(({ target, isType }) => {
    if (target.startsWith('.')) {
      const to = dirname(join(room, target));
      const isOwn = OWN_ONLY_IN.every(([file, where]) => !file.test(join(room, target)) || where.test(path));
      if (target.endsWith('.css') || (isOwn && (to === room || allowed?.includes(to)))) return [];
      return isOwn && allowed === null && mayMeet(room, to) ? [] : [`${path} must not import ${target}`];
    }
    if (isType) return [];
    return ONLY_IN.filter(([name, where]) => name.test(target) && !where.test(path)).map(
      () => `${path} must not import ${target}`,
    );
  });
}

/** Returns true if the entry folder `room` may import `to`: any folder of its own part, or a shared one. */
function mayMeet(room: string, to: string): boolean {
  const [house = ''] = to.split('/');
  return TABLE.has(to) && (house === room || !ENTRIES.includes(house));
}

/** Returns the folders of the first cycle in the table, in order; null if there is none. */
function circleIn(table: ReadonlyMap<string, readonly string[] | null>): readonly string[] | null {
  const done = new Set<string>();
  const visit = (room: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return null;
    for (const next of table.get(room) ?? []) {
      const circle = visit(next, [...path, room]);
      if (circle) return circle;
    }
    done.add(room);
    return null;
  };
  for (const room of table.keys()) {
    const circle = visit(room, []);
    if (circle) return circle;
  }
  return null;
}

describe('The architecture', () => {
  it('allows every existing import', () => {
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.flatMap((path) => violations(path, read(path)))).toEqual([]);
  });

  it('has a row for every folder, and no other row', () => {
    expect([...TABLE.keys()].toSorted()).toEqual(
      [...new Set(sources.map((path) => dirname(path)))].toSorted(),
    );
  });

  it('has only table cells that a reader can take in', () => {
    const cells = read('docs/architecture.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells.filter((cell) => cell.length > MOST_IN_A_CELL)).toEqual([]);
  });

  it('allows only imports that a file needs', () => {
    const used = new Set(
      sources.flatMap((path) =>
        importsOf(read(path)).map(
          ({ target }) => `${dirname(path)} → ${dirname(join(dirname(path), target))}`,
        ),
      ),
    );
    const allowed = [...TABLE].flatMap(([room, rooms]) => (rooms ?? []).map((to) => `${room} → ${to}`));
    expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it('has no cycle, by value or by type', () => {
    expect(circleIn(TABLE)).toBeNull();
    const withCircle = new Map([...TABLE, ['protocol', ['server/rpc']]]);
    expect(circleIn(withCircle)).toEqual(['protocol', 'server/rpc', 'protocol']);
  });

  it('keeps files short, each with a first line that describes it', () => {
    const offenders = [...files, ...filesIn('e2e')].filter((path) => {
      const lines = read(path).split('\n');
      return (
        lines.length - 1 > MAX_LINES || !/^\/\/ \S/.test(lines.find((line) => !line.startsWith('#!')) ?? '')
      );
    });
    expect(offenders).toEqual([]);
  });
});

interface Stop {
  readonly file: string;
  /** Function or member by which the data reaches the next file. */
  readonly by: string;
  /**
   * Shared name and the file that defines it; null if one of the two files imports the other, or if the data leaves the
   * program.
   */
  readonly seam: { readonly name: string; readonly file: string } | null;
  /** Destination outside the code, such as the wire; null if the next stop is in the same program. */
  readonly leaves: string | null;
}

const LEAVES = ['the wire', 'the program', 'the screen'];

/** Returns the stops of a path through the code, and the files listed beside it, as documented. */
function wayIn(document: string, title: string): { stops: Stop[]; beside: string[] } {
  const [, section = ''] = document.split(`\n### ${title}\n`);
  const [text = ''] = section.split(/\n##/);
  const [table = '', rest = ''] = text.split('\nBeside it: ');
  const rows = [...table.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| ([^|]*)\|$/gm)];
  const [beside = ''] = rest.split('\n\n');
  return {
    stops: rows.map(([, file = '', by = '', third = '']) => {
      const [, name = '', where = ''] = /`(\w+)` in `([^`]+)`/.exec(third) ?? [];
      const leaves = LEAVES.find((place) => place === third.trim()) ?? null;
      return { file, by, seam: name === '' ? null : { name, file: where }, leaves };
    }),
    beside: [...beside.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => file),
  };
}

const knows = (file: string, other: string): boolean =>
  file === other || importsOf(read(file)).some(({ target }) => join(dirname(file), target) === other);

const has = (file: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(read(file));

/**
 * Returns true if `next` imports the file that defines the shared name and uses that name, or if that file imports
 * `next`.
 */
const isBehind = (next: string, seam: NonNullable<Stop['seam']>): boolean =>
  knows(next, seam.file) ? has(next, seam.name) : knows(seam.file, next);

/** Returns a sentence for each mismatch between the stops and the files. */
function faults(stops: readonly Stop[]): string[] {
  return stops.flatMap(({ file, by, seam, leaves }, at) => {
    if (!existsSync(join(ROOT, file))) return [`${file} does not exist`];
    const next = stops[at + 1]?.file;
    const found: string[] = [];
    if (!has(file, by)) found.push(`${file} does not contain ${by}`);
    if (leaves === null && next !== undefined && existsSync(join(ROOT, next))) {
      const isCalled = new RegExp(`\\.#?${by}\\(|\\b${by}\\b.*=`);
      if (!has(next, by)) found.push(`${next} does not contain ${by}`);
      if (![file, next].some((each) => isCalled.test(read(each)))) found.push(`nothing calls ${by}`);
      const isReached = seam
        ? knows(file, seam.file) && has(file, seam.name) && isBehind(next, seam)
        : knows(file, next) || knows(next, file);
      if (!isReached) found.push(`${file} does not reach ${next}`);
    }
    const isEnd = leaves === 'the program' || leaves === 'the screen';
    if (isEnd !== (at === stops.length - 1)) found.push(`${file} is not the last`);
    return found;
  });
}

describe.each([
  ['From a key to the program', 'web/screen/terminal/terminal-input.ts', 'server/host/pty-child.ts'],
  ['From the program to the screen', 'server/host/pty-child.ts', 'web/screen/terminal/terminal-output.ts'],
])('The way %s', (title, first, last) => {
  const { stops, beside } = wayIn(read('docs/architecture.md'), title);

  it('has at most 11 files, each once, from one end to the other', () => {
    expect(stops.length).toBeLessThanOrEqual(MOST_ON_A_WAY);
    expect(new Set(stops.map(({ file }) => file)).size).toBe(stops.length);
    expect([stops[0]?.file, stops.at(-1)?.file]).toEqual([first, last]);
    expect(stops.filter(({ leaves }) => leaves === 'the wire')).toHaveLength(1);
  });

  it('matches the calls between the files', () => {
    expect(faults(stops)).toEqual([]);
  });

  it('lists under "Beside it" only other files that its own files import', () => {
    const onIt = stops.map(({ file }) => file);
    expect(beside.length).toBeGreaterThan(5);
    expect(beside.filter((file) => !onIt.some((stop) => knows(stop, file)))).toEqual([]);
    expect(beside.filter((file) => onIt.includes(file))).toEqual([]);
  });

  it('is rejected when a file is left out or a call differs', () => {
    for (const at of stops.keys()) {
      if (at > 0 && stops[at - 1]?.leaves !== 'the wire' && stops[at]?.leaves !== 'the wire')
        expect(faults(stops.toSpliced(at, 1)), stops[at]?.file).not.toEqual([]);
      expect(faults(stops.with(at, { ...(stops[at] as Stop), by: 'teleport' })), stops[at]?.file).not.toEqual(
        [],
      );
    }
  });
});

describe('A violation', () => {
  it.each([
    ['protocol/x.ts', "import { a } from '../server/host/child.ts';"],
    ['text/x.ts', "import { a } from '../client/bytes.ts';"],
    ['server/host/x.ts', "import type { Connection } from '../rpc/connection.ts';"],
    ['server/rpc/x.ts', "import {\n  a,\n  b,\n} from '../sessions/session.ts';"],
    ['server/rpc/x.ts', "export { a } from '../config.ts';"],
    ['server/sessions/x.ts', "import { Console } from '../console/console.ts';"],
    ['server/sessions/x.ts', "import { WebSocket } from 'ws';"],
    ['server/x.ts', "import { App } from '../web/app.tsx';"],
    ['server/keeper/x.ts', "const koffi = createRequire(import.meta.url)('koffi');"],
    ['server/keeper/x.ts', "const koffi = await import('koffi');"],
    ['server/console/x.ts', "import { createServer } from 'node:http';"],
    ['server/console/x.ts', "import { z } from 'zod';"],
    ['client/x.ts', "import { once } from 'node:events';"],
    ['client/x.ts', "import { Terminal } from '@xterm/xterm';"],
    ['client/x.ts', "import { useState } from 'react';"],
    ['web/x.tsx', "import { Process } from '../server/keeper/process.ts';"],
    ['web/x.tsx', "import '@xterm/addon-fit';"],
    ['web/state/page/x.ts', "import type { LogView } from '../../screen/log/log-view.ts';"],
    ['web/screen/log/x.ts', "import { TerminalSession } from '../terminal/terminal-session.ts';"],
    ['web/parts/x.tsx', "import { Wall } from '../views/wall/wall.tsx';"],
    ['bench/measures/x.ts', "import { createServer } from '../../server/server.ts';"],
    ['server/attic/x.ts', ''],
    ['server/delivery/x.ts', "import type { Process } from '../keeper/process.ts';"],
    ['server/sessions/x.ts', "import { Process } from '../keeper/process.ts';"],
    ['server/x.ts', "import { Process } from './keeper/process.ts';"],
    ['server/screens/x.ts', "import type { EventLog } from '../keeper/event-log.ts';"],
  ])('is found in %s: %s', (path, source) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  it.each([
    ['server/keeper/x.ts', "import { a } from '../../protocol/process.ts';"],
    ['server/doors/websocket.ts', "import { WebSocketServer } from 'ws';"],
    ['server/policy/x.ts', "import type { IncomingMessage } from 'node:http';"],
    ['server/keeper/x.ts', "import type { Process } from './process.ts';"],
    ['server/delivery/x.ts', "import type { ProcessView } from '../keeper/process-view.ts';"],
    ['server/server.ts', "import { Listener } from './doors/http/listener.ts';"],
    ['web/app.tsx', "import '@xterm/xterm/css/xterm.css';"],
  ])('is not found in %s: %s', (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });
});
