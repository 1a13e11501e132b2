// What ended since it was last said, in one sentence: for who does not see the list, and without chatter.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { processName } from '../processes/command-line.ts';
import { isLive, statusOf, statusText } from '../processes/process-status.ts';
import { processStore } from '../processes/process-store.ts';

/** What ends together is said together. */
const SAY_AFTER_MS = 1000;
/** More than that are only counted. */
const MOST_NAMED = 3;
/** A name that is read out is not waited for. */
const LONGEST_NAME = 60;

/** Returns its own undo. */
export function followEndings(say: (text: string) => void): () => void {
  const ended = new Map<string, ProcessInfo>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const unsubscribe = processStore.subscribe((state, before) => {
    if (state.processes === before.processes || !before.isListed) return;
    for (const [key, info] of Object.entries(state.processes)) {
      const former = before.processes[key];
      if (former && former !== info && isLive(former) && !isLive(info)) ended.set(key, info);
    }
    if (ended.size === 0) return;
    timer ??= setTimeout(() => {
      timer = null;
      say(endingsText([...ended.values()]));
      ended.clear();
    }, SAY_AFTER_MS);
  });
  return () => {
    unsubscribe();
    if (timer !== null) clearTimeout(timer);
  };
}

export function endingsText(infos: readonly ProcessInfo[]): string {
  if (infos.length <= MOST_NAMED) return infos.map(endingText).join('; ');
  const failed = infos.filter((info) => statusOf(info) === 'failed').length;
  return `${infos.length} processes ended${failed > 0 ? `, ${failed} of them failed` : ''}`;
}

function endingText(info: ProcessInfo): string {
  const name = processName(info);
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)} …` : name;
  return `${short}: ${statusText(info)}`;
}
