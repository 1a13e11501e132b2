// Announcements for screen readers, each in one sentence: exits, waiting processes and control changes.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { inControl, ownOf } from '../processes/people.ts';
import { countedText, numberText } from '../../../text/amounts.ts';
import { processName } from '../../../text/command-line.ts';
import { isLive, isWaiting, statusOf, statusText } from '../../../text/process-words.ts';
import { processStore } from '../processes/process-store.ts';
import { cutTo } from '../../../text/cut.ts';

/** Time for collecting changes before an announcement. */
const COLLECT_MS = 1000;
/** Minimum interval between announcements, so that a screen reader can also read other text. */
const MIN_INTERVAL_MS = 5000;
/** Maximum number of changes described by name; when there are more, exits and waiting processes are only counted. */
const MOST_NAMED = 3;
/** Maximum length of a name that is read aloud, in characters. */
const LONGEST_NAME = 60;

export interface Change {
  readonly info: ProcessInfo;
  readonly what: 'ended' | 'waits' | 'controlTaken' | 'controlLost';
}

/** Passes announcements of changes to `report`. Returns a function that stops the announcements. */
export function followAnnouncements(report: (text: string) => void): () => void {
  /** Latest change of each process. */
  const changes = new Map<string, Change>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let reportedAtMs = -MIN_INTERVAL_MS;
  const unsubscribe = processStore.subscribe((state, before) => {
    if (state.processes === before.processes || !before.isListed) return;
    const own = ownOf(state.connection);
    for (const [key, info] of Object.entries(state.processes)) {
      const former = before.processes[key];
      if (!former || former === info) continue;
      const what = changeOf(former, info, own === ownOf(before.connection) ? own : null);
      if (what) changes.set(key, { info, what });
      // A process that is no longer waiting is not announced as waiting.
      else if (changes.get(key)?.what === 'waits' && !isWaiting(info)) changes.delete(key);
    }
    if (changes.size === 0) return;
    timer ??= setTimeout(
      () => {
        timer = null;
        if (changes.size === 0) return;
        reportedAtMs = Date.now();
        report(announcementText([...changes.values()]));
        changes.clear();
      },
      Math.max(COLLECT_MS, reportedAtMs + MIN_INTERVAL_MS - Date.now()),
    );
  });
  return () => {
    unsubscribe();
    if (timer !== null) clearTimeout(timer);
  };
}

function changeOf(former: ProcessInfo, info: ProcessInfo, own: string | null): Change['what'] | null {
  if (isLive(former) && !isLive(info)) return 'ended';
  if (!isLive(info)) return null;
  if (!isWaiting(former) && isWaiting(info)) return 'waits';
  // Control concerns terminals only, although a process with pipes has a controller, too.
  if (own === null || !info.tty || former.controller === info.controller) return null;
  if (info.controller === own) return 'controlTaken';
  return former.controller === own ? 'controlLost' : null;
}

export function announcementText(changes: readonly Change[]): string {
  if (changes.length <= MOST_NAMED) return changes.map(oneText).join('; ');
  const ended = changes.filter(({ what }) => what === 'ended');
  const failed = ended.filter(({ info }) => statusOf(info) === 'failed').length;
  const waiting = changes.filter(({ what }) => what === 'waits').length;
  const control = changes.filter(({ what }) => what === 'controlTaken' || what === 'controlLost');
  return [
    ended.length > 0 &&
      `${processes(ended.length)} ended${failed > 0 ? ` (${numberText(failed)} failed)` : ''}`,
    waiting > 0 && `${processes(waiting)} waiting for input`,
    ...control.slice(0, MOST_NAMED).map(oneText),
  ]
    .filter((part) => part !== false)
    .join('; ');
}

const processes = (count: number): string => countedText(count, 'process', 'processes');

function oneText({ info, what }: Change): string {
  const name = cutTo(processName(info), LONGEST_NAME);
  switch (what) {
    case 'ended':
      return `${name}: ${statusText(info)}`;
    case 'waits':
      return `${name}: waiting for input`;
    case 'controlTaken':
      return `${name}: this page has control`;
    case 'controlLost':
      return `${name}: ${info.controller === null ? 'this page no longer has control' : inControl(info.controller, processStore.getState())}`;
  }
}
