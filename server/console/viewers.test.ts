// Tests that observers get only listed members, even when members are added to an object later: rules SC8, SC4 and
// SH2.
import { describe, expect, it } from 'vitest';
import type { ConsoleChanged, ProcessInfo, WatchResult } from '../../protocol/console.ts';
import type { NotificationMethod, RequestMethod } from '../../protocol/methods.ts';
import { NOTIFICATIONS } from '../../protocol/notifications.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { METHOD_NAMES } from '../../protocol/records.ts';
import type { Eyes } from '../../protocol/seen.ts';
import { CONSOLE_CHANGED, WATCH_RESULT } from '../../protocol/seen-shapes.ts';
import { Frames, type Step } from '../delivery/frames.ts';
import { ownChanges, ownResult, type Onlooker } from './guests.ts';
import { seenChanges, seenHealth, seenNotification, seenResult } from './viewers.ts';

const TOKEN = `ghp_${SECRET_VECTORS[0]?.secret}`;
const MASKED = `ghp_${'*'.repeat(TOKEN.length - 4)}`;

const info: ProcessInfo = {
  key: 'theirs',
  processId: `id ${TOKEN}`,
  session: 's-1',
  clientName: `client ${TOKEN}`,
  startedBy: 'the agent',
  metadata: { [`name ${TOKEN}`]: `value ${TOKEN}` },
  label: `label ${TOKEN}`,
  restartOf: 'other',
  pinnedBy: null,
  restartable: true,
  argv: ['run', TOKEN],
  cwd: `/srv/people/${TOKEN}`,
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
  expiresAtMs: null,
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
  recordingsRemoved: {
    recordings: [
      { key: 'theirs', who: 'Ada' },
      { key: 'the other', who: 'gateway' },
    ],
    isComplete: false,
  },
};

const NOTIFICATION_NAMES = Object.keys(NOTIFICATIONS) as NotificationMethod[];

const UNKNOWN = 'nobodyHasListedThis';

/** Adds one member to every object within the value, except in metadata, whose names clients choose. */
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

const observer: Onlooker = {
  label: 'c-3',
  identity: { tokenId: 't-3', name: 'Olaf', role: 'observer', expiresAtMs: null },
};
const operator: Onlooker = { label: 'c-4', identity: { ...observer.identity, role: 'operator' } };
const watchResult = (onlooker: Onlooker, all: WatchResult): WatchResult =>
  seenResult(onlooker, 'console/watch', ownResult(all, onlooker), find) as WatchResult;

describe('What an observer gets', () => {
  const sent = [
    watchResult(observer, withMore(everything)),
    seenChanges(observer, find)(withMore(changed)) ?? {},
  ];

  it('[SC8] has exactly the listed members', () => {
    expect(JSON.stringify(withMore(everything))).toContain(UNKNOWN);
    expect(JSON.stringify(sent)).not.toContain(UNKNOWN);
    expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual(Object.keys(everything).toSorted());
    for (const each of sent)
      expect(Object.keys(each.processes?.[0] ?? {}).toSorted()).toEqual(Object.keys(info).toSorted());
    const { removed, recordingsRemoved } = changed;
    expect(sent[1]).toMatchObject({ removed, recordingsRemoved, people: [person] });
  });

  it('[SC4] has every secret masked, even in sandboxes and client names', () => {
    expect(JSON.stringify(everything)).toContain(TOKEN);
    expect(JSON.stringify(sent)).not.toContain(TOKEN);
    expect(sent[0]?.sessions?.[0]?.clientName).toBe(`client ${MASKED}`);
    expect(sent[0]?.processes?.[0]).toMatchObject({
      sandbox: `writes to /customers/other/${MASKED}; no network`,
      survivors: [{ pid: 8, name: `name ${MASKED}` }],
    });
  });

  it('[SC4] has secrets masked in the names of agents with a policy or a pause', () => {
    const pause = {
      id: 'p1',
      agent: TOKEN,
      session: null,
      thread: TOKEN,
      why: 'paused',
      by: 'Ada',
      atMs: 1,
    } as const;
    const settings = {
      policy: 'never',
      startedWith: 'never',
      agents: [{ agent: TOKEN, policy: 'always' }],
      pauses: [pause],
      tightened: null,
      forbids: false,
    } as const;
    const change = seenChanges(observer, find)({ approvalSettings: settings });
    expect(change?.approvalSettings).toEqual({
      ...settings,
      agents: [{ agent: MASKED, policy: 'always' }],
      pauses: [{ ...pause, agent: MASKED, thread: MASKED }],
    });
  });

  it('[SC8] is empty when nothing has changed', () => {
    expect(seenChanges(observer, find)({})).toEqual({});
  });
});

describe('What a guest of one process gets', () => {
  const results = [watchResult(guest, withMore(everything)), seenChanges(guest, find)(withMore(changed))];
  // The guest's list of members must suffice without the observer's.
  const eyes = { label: guest.label } as Eyes;
  const unredacted = [
    WATCH_RESULT.guest(ownResult(withMore(everything), guest), eyes, null),
    CONSOLE_CHANGED.guest(ownChanges(guest)(withMore(changed)) ?? {}, eyes, null),
  ];

  it('[SC8][SH2] has exactly the listed members', () => {
    expect(JSON.stringify([...results, ...unredacted])).not.toContain(UNKNOWN);
    expect(Object.keys(results[0]?.processes?.[0] ?? {}).toSorted()).toEqual(Object.keys(info).toSorted());
  });

  it('[SH2] names no folder of a sandbox, but states whether there is one', () => {
    expect(JSON.stringify([...results, ...unredacted])).not.toContain('customers');
    expect(results[0]?.processes?.[0]?.sandbox).toBe('restricted');
    const free = { ...everything, processes: [{ ...info, sandbox: 'none' }] };
    expect(watchResult(guest, free).processes[0]?.sandbox).toBe('none');
  });

  it('[SH2] names no person and no session', () => {
    const sent = JSON.stringify([...results, ...unredacted]);
    for (const name of ['Ada', 'the agent', 's-1', 'c-2', 'a reason', 'other'])
      expect(sent).not.toContain(name);
  });

  it('[SH2] includes removals of recordings only of that process, without a name', () => {
    expect(results[1]).toMatchObject({
      recordingsRemoved: { recordings: [{ key: 'theirs', who: 'somebody' }], isComplete: true },
    });
    const others = { recordings: [{ key: 'the other', who: 'Ada' }], isComplete: false };
    expect(seenChanges(guest, find)({ recordingsRemoved: others })).toBeNull();
  });

  it('[SC8][SH2] has nothing about the machine, whatever members are added later', () => {
    const environment = {
      shell: { name: 'bash', path: '/bin/bash' },
      executorVersion: '1',
      providerId: 'x',
      cwd: 'file:///srv/people/ada',
      userHomeDir: 'file:///srv/people/ada',
      platformOs: 'linux',
      prependPathDirs: ['file:///srv/people/ada/bin'],
      temporaryDirectories: ['file:///srv/people/ada/tmp'],
      tempDir: 'file:///srv/people/ada/tmp',
      capabilities: {},
    } as object;
    const shown = JSON.stringify([
      seenResult(
        guest,
        'initialize',
        { environmentInfo: { ...environment, [UNKNOWN]: '/accounts/ada' } },
        find,
      ),
      seenHealth(withMore(everything.gateway), guest.identity),
    ]);
    expect(shown).not.toContain('ada');
    expect(shown).not.toContain(UNKNOWN);
  });
});

describe('An unlisted member', () => {
  it.each(METHOD_NAMES)('[SC8] is withheld from the result of %s', (method) => {
    const result = { [UNKNOWN]: TOKEN };
    for (const onlooker of [observer, guest]) expect(seenResult(onlooker, method, result, find)).toEqual({});
    expect(seenResult(operator, method, result, find)).toBe(result);
  });

  it.each(NOTIFICATION_NAMES)('[SC8] is withheld from %s', (name) => {
    const params = { [UNKNOWN]: TOKEN } as never;
    for (const onlooker of [observer, guest])
      expect(seenNotification(onlooker, name, params, find)).toEqual({});
    expect(seenNotification(operator, name, params, find)).toBe(params);
  });

  it('[SC8] is withheld from tiles, usage, hits, pages and attachments, which are complete without it', () => {
    const size = { rows: 2, cols: 3 };
    const tile = { key: 'theirs', ...size, lines: [[{ text: 'x', fg: 1, bold: true }]] };
    const usage = {
      key: 'theirs',
      cpu: 1,
      memoryBytes: 2,
      processes: 3,
      ports: [{ port: 4, address: '::' }],
    };
    const hit = { key: 'theirs', offset: 1, text: 'x', start: 0, end: 1 };
    const chunk = { seq: 1, stream: 'pty', chunk: 'AAAA', atMs: 5 };
    const page = {
      chunks: [chunk],
      nextSeq: 2,
      exited: true,
      exitCode: 0,
      closed: true,
      failure: null,
      sandboxDenied: false,
      missedBytes: 0,
      exitedSeq: 1,
      closedSeq: null,
      sizes: [{ afterSeq: 0, ...size }],
    };
    const results: readonly (readonly [RequestMethod, object])[] = [
      ['process/read', page],
      ['process/attach', { nextSeq: 1, firstRetainedSeq: 1, offset: 0, size }],
      ['process/attach', { nextSeq: 1, firstRetainedSeq: 1, offset: 0, size: null }],
      ['process/wait', { exited: true, exitCode: null, closed: false }],
      ['process/snapshot', { seq: 1, ...size, data: '', exact: true }],
      ['console/search', { hits: [hit], searchedBytes: 1, isComplete: true }],
      ['console/usage', { supported: true }],
      ['environment/status', { status: 'ready' }],
    ];
    for (const onlooker of [observer, guest]) {
      for (const [method, result] of results)
        expect(seenResult(onlooker, method, withMore(result), find), method).toEqual(result);
      const sent = [
        seenNotification(onlooker, 'console/tilesChanged', withMore({ tiles: [tile] }), find),
        seenNotification(onlooker, 'console/usageChanged', withMore({ usage: [usage] }), find),
      ];
      expect(sent).toEqual([{ tiles: [tile] }, { usage: [usage] }]);
    }
  });

  it('[SC8] is not in the events of an attachment, which have only listed members', () => {
    const frames = new Frames({ processId: 'p', key: 'theirs' });
    const bytes = Buffer.from('x');
    const steps: readonly Step[] = [
      { kind: 'output', seq: 1, offset: 0, stream: 'pty', bytes, atMs: 5 },
      { kind: 'exited', seq: 2, offset: 1, exitCode: 0, sandboxDenied: false },
      { kind: 'closed', seq: 3, offset: 1 },
      { kind: 'gap', afterSeq: 3, nextSeq: 4, bytes: 5 },
      { kind: 'resized', mark: { afterSeq: 4, rows: 2, cols: 3 } },
    ];
    for (const step of steps) {
      const { method, params } = JSON.parse(frames.of(step).toString()) as {
        method: NotificationMethod;
        params: never;
      };
      expect(seenNotification(guest, method, params, find)).toEqual(params);
    }
  });
});
