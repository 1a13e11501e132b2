// Tests of the format of log lines, and of secrets that must not be in them.
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../protocol/audit.ts';
import { Health } from './health.ts';
import { SpawnError } from '../host/spawn.ts';
import { actLine, defectLine, logHealth, notStartedLine } from './lines.ts';
import type { Line } from './log.ts';
import { openLog, type LogOptions } from './open-log.ts';

let dir: string;
let fd: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'));
  fd = openSync(join(dir, 'log'), 'a');
});
afterEach(() => {
  closeSync(fd);
  rmSync(dir, { recursive: true });
});

async function written(options: LogOptions, ...lines: readonly Line[]): Promise<string[]> {
  const log = await openLog(options, fd);
  for (const line of lines) log(...line);
  return readFileSync(join(dir, 'log'), 'utf8').split('\n').slice(0, -1);
}

const ENTRY: AuditEntry = {
  number: 1,
  atMs: 0,
  who: 'codex',
  role: 'agent',
  token: 't-1',
  connection: 'c-1',
  from: '127.0.0.1:5',
  act: 'start',
  key: 'k-1',
  details: { argv: ['ls'], cwd: '/tmp' },
};
const DOOR: AuditEntry = {
  ...ENTRY,
  who: '',
  role: '',
  token: '',
  connection: '',
  act: 'refused',
  key: null,
  details: { method: 'GET', path: '/status', reason: 'no proof' },
};

it('[LG1] a log line is a sentence with the time, or an object with its event and its identity', async () => {
  const [text] = await written({ format: 'text', level: 'info' }, actLine(ENTRY));
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z codex \(agent, c-1\): start k-1$/);
  const [, json = ''] = await written({ format: 'json', level: 'info' }, actLine(ENTRY));
  expect(JSON.parse(json)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    pid: process.pid,
    event: 'start',
    connection: 'c-1',
    process: 'k-1',
    identity: { name: 'codex', role: 'agent', token: 't-1' },
    from: '127.0.0.1:5',
    details: { argv: ['ls'], cwd: '/tmp' },
    msg: 'codex (agent, c-1): start k-1',
  });
});

it('[LG1] the log has only lines at or above the configured level', async () => {
  const lines = [
    actLine({ ...ENTRY, act: 'attach' }),
    actLine(ENTRY),
    actLine(DOOR),
    defectLine('x', new Error('y')),
  ];
  expect(lines.map(([level]) => level)).toEqual(['debug', 'info', 'warn', 'error']);
  const [first = '', second, ...none] = await written(
    { format: 'text', level: 'warn' },
    ...lines.slice(0, 3),
  );
  expect(first).toMatch(/Z refused \/status: no proof$/);
  expect([second, none]).toEqual([undefined, []]);
});

it('[LG2] a start that failed for lack of resources is a warning, and any other failed start is not', () => {
  const missing = new SpawnError('no such program', new Error('ENOENT'));
  const starved = new SpawnError('no room', Object.assign(new Error(), { code: 'EMFILE' }));
  const sentences = [missing, starved].map((error) => notStartedLine(error));
  expect(sentences.map(([level, , keys]) => [level, keys['reason'], keys['starved']])).toEqual([
    ['info', 'no such program', null],
    ['warn', 'no room', expect.stringContaining('ulimit -n')],
  ]);
});

it('[LG2] the log has each reason for a degraded gateway once, and its recovery', () => {
  const health = new Health();
  const lines: Line[] = [];
  logHealth(health, (...line) => lines.push(line));
  health.report('disk', 'full');
  health.report('audit', 'not written');
  health.report('disk', null);
  expect(lines.map(([level, sentence, { event }]) => [level, event, sentence])).toEqual([
    ['warn', 'degraded', 'degraded: full'],
    ['warn', 'degraded', 'degraded: not written'],
    ['info', 'recovered', 'resolved: full'],
  ]);
});

it('[LG1] log lines have control, hidden and line-breaking characters escaped', async () => {
  const bad = 'a\n2026-01-01T00:00:00.000Z b\u001b[2J\u202e\u{e0041}\u2028';
  const lines: Line[] = [['warn', bad, { event: 'x', bad }], defectLine('x', bad)];
  const text = await written({ format: 'text', level: 'debug' }, ...lines);
  expect(text).toEqual([
    expect.stringMatching(/^\S+Z a\\n2026-01-01T00:00:00\.000Z b\\x1b\[2J\\u202e\\u\{e0041\}\\u2028$/),
    expect.stringMatching(/^\S+Z x failed: a$/),
    expect.stringMatching(/^ {2}2026-01-01T00:00:00\.000Z b\\x1b/),
  ]);
  const [json = ''] = (await written({ format: 'json', level: 'debug' }, ...lines)).slice(3);
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toMatchObject({ msg: bad, bad });
});

it.each(['text', 'json'] as const)(
  '[LG3] log lines have anything like a secret masked (%s)',
  async (format) => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const line = actLine({ ...ENTRY, details: { reason: `bad ${secret}`, more: { argv: [secret] } } });
    const [text = ''] = await written({ format, level: 'debug' }, line, defectLine('a', new Error(secret)));
    expect(text).toContain('bad ');
    expect(readFileSync(join(dir, 'log'), 'utf8')).not.toContain(secret.slice(4));
  },
);
