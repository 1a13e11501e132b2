// That whoever may only look gets what is listed, and nothing that somebody adds to it one day: rules SC8, SC4 and SH2.
import { describe, expect, it } from 'vitest';
import type { ConsoleChanged, ProcessInfo, WatchResult } from '../../protocol/console.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { showsChanges, shownEnvironment, shownHealth, shownResult, type Onlooker } from './one-process.ts';
import { redactedChange, redactedResult } from './redacted.ts';

const TOKEN = `ghp_${SECRET_VECTORS[0]?.secret}`;
const COVERED = `ghp_${'*'.repeat(TOKEN.length - 4)}`;

const info: ProcessInfo = {
  key: 'theirs',
  processId: `id ${TOKEN}`,
  session: 's-1',
  startedBy: 'the agent',
  metadata: { [`name ${TOKEN}`]: `value ${TOKEN}` },
  label: `label ${TOKEN}`,
  restartOf: 'other',
  restartable: true,
  argv: ['run', TOKEN],
  cwd: `/home/${TOKEN}`,
  tty: true,
  pipeStdin: false,
  pid: 7,
  size: { rows: 2, cols: 3 },
  sandbox: `writes to /customers/other/${TOKEN}; no network`,
  state: 'exited',
  exitCode: 1,
  signal: null,
  sandboxDenied: true,
  startedAtMs: 1,
  exitedAtMs: 2,
  terminatingSinceMs: 3,
  killAtMs: 4,
  survivors: [{ pid: 8, name: `name ${TOKEN}` }],
  escaped: [{ pid: 9, name: `name ${TOKEN}` }],
  allEndedAtMs: 5,
  outputHeld: true,
  lastOutputAtMs: 6,
  lastInput: { session: 's-1', who: 'Ada', atMs: 7 },
  outputBytes: 8,
  nextSeq: 9,
  firstRetainedSeq: 1,
  title: `title ${TOKEN}`,
  lastLine: `line ${TOKEN}`,
  bellAtMs: 10,
  notification: { text: `text ${TOKEN}`, atMs: 11 },
  progress: { state: 'normal', percent: 12 },
  waitsForInput: false,
  watchers: 2,
  watchedBy: ['c-1', 'c-2'],
  controller: 'c-2',
  acts: [{ who: 'Ada', how: 'interrupt', atMs: 13, afterSeq: 14 }],
  endedBy: { who: 'Ada', how: 'interrupt', atMs: 13 },
};
const person = { connection: 'c-1', token: 't-1', name: 'guest 1', role: 'observer', sinceMs: 1 } as const;
const session = {
  label: 's-1',
  clientName: `client ${TOKEN}`,
  startedBy: 'the agent',
  attached: true,
  connectedAtMs: 1,
  detachedAtMs: null,
  processCount: 1,
};
const happened = { change: 1, atMs: 2, key: 'theirs', what: 'notification', text: `text ${TOKEN}` } as const;
const everything: WatchResult = {
  gateway: { status: 'degraded', reasons: ['a reason'] },
  people: [person],
  activity: { change: 1, entries: [happened], isComplete: true },
  sessions: [session],
  processes: [info],
};
const changed: ConsoleChanged = {
  ...everything,
  printed: [info],
  removed: { keys: ['theirs'], sessions: ['s-1'] },
};

/** What is the name of what nobody has listed. */
const UNKNOWN = 'nobodyHasListedThis';

/** With a member more in every object, however deep; names that clients choose are their own. */
function withMore<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each) => withMore(each as unknown)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [
    name,
    name === 'metadata' ? (each as unknown) : withMore(each as unknown),
  ]);
  return { ...(Object.fromEntries(members) as T), [UNKNOWN]: { secret: TOKEN } };
}

const find = (): undefined => undefined;
const guest: Onlooker = {
  label: 'c-1',
  identity: {
    tokenId: 't-1',
    name: 'guest 1',
    role: 'observer',
    expiresAtMs: null,
    share: { id: 's', key: 'theirs' },
  },
};

describe('what an observer is told', () => {
  const told = [redactedResult(withMore(everything), find), redactedChange(withMore(changed), find)];

  it('[SC8] has nothing that is not listed, and all that is', () => {
    expect(JSON.stringify(withMore(everything))).toContain(UNKNOWN);
    expect(JSON.stringify(told)).not.toContain(UNKNOWN);
    expect(Object.keys(told[0] ?? {}).toSorted()).toEqual(Object.keys(everything).toSorted());
    for (const each of told)
      expect(Object.keys(each.processes?.[0] ?? {}).toSorted()).toEqual(Object.keys(info).toSorted());
    expect(told[1]).toMatchObject({ removed: changed.removed, people: [person] });
  });

  it('[SC4] has every secret covered, in sandboxes and clients’ names as well', () => {
    expect(JSON.stringify(everything)).toContain(TOKEN);
    expect(JSON.stringify(told)).not.toContain(TOKEN);
    expect(told[0]?.sessions?.[0]?.clientName).toBe(`client ${COVERED}`);
    expect(told[0]?.processes?.[0]).toMatchObject({
      sandbox: `writes to /customers/other/${COVERED}; no network`,
      survivors: [{ pid: 8, name: `name ${COVERED}` }],
    });
  });

  it('[SC8] is made of nothing where nothing has changed', () => {
    expect(redactedChange({}, find)).toEqual({});
  });
});

describe('what somebody is told who was shown one process', () => {
  const results = [
    shownResult(redactedResult(withMore(everything), find), guest),
    showsChanges(guest)(redactedChange(withMore(changed), find)),
  ];
  // Neither of the two relies on the other.
  const unredacted = [shownResult(withMore(everything), guest), showsChanges(guest)(withMore(changed))];

  it('[SC8][SH2] has nothing that is not listed, and all that is', () => {
    expect(JSON.stringify([...results, ...unredacted])).not.toContain(UNKNOWN);
    expect(Object.keys(results[0]?.processes?.[0] ?? {}).toSorted()).toEqual(Object.keys(info).toSorted());
  });

  it('[SH2] names no folder of a sandbox, and says whether there is one', () => {
    expect(JSON.stringify([...results, ...unredacted])).not.toContain('customers');
    expect(results[0]?.processes?.[0]?.sandbox).toBe('restricted');
    const free = { ...everything, processes: [{ ...info, sandbox: 'none' }] };
    expect(shownResult(free, guest).processes[0]?.sandbox).toBe('none');
  });

  it('[SH2] names nobody and no session', () => {
    const told = JSON.stringify([...results, ...unredacted]);
    for (const name of ['Ada', 'the agent', 's-1', 'c-2', 'a reason', 'other'])
      expect(told).not.toContain(name);
  });

  it('[SC8][SH2] is nothing of the machine, whatever is known of it one day', () => {
    const environment = {
      shell: { name: 'bash', path: '/bin/bash' },
      executorVersion: '1',
      providerId: 'x',
      cwd: 'file:///home/ada',
      userHomeDir: 'file:///home/ada',
      platformOs: 'linux',
      prependPathDirs: ['file:///home/ada/bin'],
      temporaryDirectories: ['file:///home/ada/tmp'],
      tempDir: 'file:///home/ada/tmp',
      capabilities: {},
    } as unknown as Parameters<typeof shownEnvironment>[0];
    const shown = JSON.stringify([
      shownEnvironment({ ...environment, [UNKNOWN]: '/home/ada' } as typeof environment, guest.identity),
      shownHealth(withMore(everything.gateway), guest.identity),
    ]);
    expect(shown).not.toContain('ada');
    expect(shown).not.toContain(UNKNOWN);
  });
});
