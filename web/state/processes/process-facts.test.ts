// Known facts of a process in words; unknown ones are omitted.
import { expect, it } from 'vitest';
import type { ConnectionState } from '../../../client/connection-state.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { factsOf, factsText } from './process-facts.ts';

const info = processInfo({
  metadata: { threadId: 'checkout', other: 'x' },
  argv: ['npm', 'run', 'dev server'],
  cwd: '/projects/shop',
  pid: 4312,
  startedAtMs: 1000,
  lastOutputAtMs: 8000,
  outputBytes: 1500,
  lastLine: 'ready \u202e',
  controller: 'c2',
  watchers: 4,
  watchedBy: ['c1', 'c2', 'c9'],
});

const present = {
  connection: { kind: 'online', connection: 'c1', role: 'operator' } as ConnectionState,
  people: [
    { connection: 'c1', token: 't1', name: 'page', role: 'operator', sinceMs: 0 },
    { connection: 'c2', token: 't2', name: 'Ada', role: 'operator', sinceMs: 0 },
  ] as const,
};

it('the facts name the starter, the folder, the times, the ports and the controller', () => {
  const used = {
    samples: [{ cpu: 0.5, memoryBytes: 2_000_000 }],
    processes: 2,
    ports: [{ port: 5173, address: '127.0.0.1' }],
  };
  const facts = new Map(
    factsOf({ info, clientName: 'Codex', used, present, nowMs: 13_000 }).map(({ name, text }) => [
      name,
      text,
    ]),
  );
  expect(facts.get('Command')).toBe("npm run 'dev server'");
  expect(facts.get('PID')).toBe('4312');
  expect(facts.get('Folder')).toBe('/projects/shop');
  expect(facts.get('Started by')).toBe('agent (Codex)');
  expect(facts.get('Started')).toMatch(/, running for 12s$/);
  expect(facts.get('Thread')).toBe('checkout');
  expect(facts.get('Metadata "other"')).toBe('x');
  expect(facts.get('Ports')).toBe('5173 on 127.0.0.1');
  expect(facts.get('Usage')).toBe('CPU 50% of one core, memory 2.0 MB, 2 processes');
  expect(facts.get('Input and output')).toBe('a terminal, 80×24');
  expect(facts.get('Controlled by')).toBe('Ada');
  expect(facts.get('Watched by')).toBe('you, Ada, another connection, 1 more connection');
  expect(facts.get('Output')).toBe('1.5 kB, last output 5s ago');
  expect(facts.get('Last line')).toBe(String.raw`ready \u202e`);
  expect([...facts.keys()]).not.toContain('Label');
  expect([...facts.keys()]).not.toContain('Ended');
});

it('stdin of a process with pipes is listed as closed after a person has closed it', () => {
  const pipes = { ...info, tty: false, pipeStdin: true };
  const textOf = (acts: ProcessInfo['acts']) =>
    factsOf({ info: { ...pipes, acts }, clientName: null, used: undefined, present, nowMs: 0 }).find(
      ({ name }) => name === 'Input and output',
    )?.text;
  expect(textOf([])).toBe('pipes, with stdin');
  expect(textOf([{ who: 'Ada', how: 'closeStdin', atMs: 1, afterSeq: 0 }])).toBe('pipes, stdin closed');
});

it('the facts are copied as lines', () => {
  expect(
    factsText([
      { name: 'PID', text: '1' },
      { name: 'Key', text: 'k' },
    ]),
  ).toBe('PID: 1\nKey: k');
});

it('an unknown metadata field is labelled as metadata, whatever name its agent chose', () => {
  const metadata = { constructor: 'one', PID: '1', Thread: 'two', 'a\nKey\u202e': 'three', model: 'four' };
  const known = { clientName: null, used: undefined, present, nowMs: 13_000 };
  const facts = factsOf({ ...known, info: { ...info, metadata } });
  const lines = factsText(facts).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'PID: 4312',
      'Model: four',
      'Metadata "constructor": one',
      'Metadata "PID": 1',
      'Metadata "Thread": two',
      String.raw`Metadata "a\nKey\u202e": three`,
    ]),
  );
  expect(new Set(facts.map(({ name }) => name)).size).toBe(lines.length);
});
