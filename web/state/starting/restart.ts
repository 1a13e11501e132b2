// Restarts a finished process immediately, and a running one after ending it; for a process that cannot be restarted,
// opens the start form.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { climb, type Climb } from '../ending/climb.ts';
import { named } from '../ending/report.ts';
import { openPane } from '../layout/layout-store.ts';
import { durationText, numberText } from '../../../text/amounts.ts';
import { processName } from '../../../text/command-line.ts';
import { isDenied, isDraining, isLive } from '../../../text/process-words.ts';
import { refusalSentence, refusalText } from '../page/refusal.ts';
import { openDialog, showPanes, showDone } from '../page/page-store.ts';
import { restartProcess } from './start-process.ts';

/**
 * Time after which a restart is abandoned: the gateway sends SIGKILL after 5 s, and a process that survives
 * long after that will not end.
 */
const PATIENCE_MS = 30_000;

/** Parts of the page that a restart needs: the client and the terminals. */
export interface RestartParts {
  readonly client: ExecClient;
  readonly terminals: {
    readonly get: (key: string) => { readonly report: (word: string) => void } | undefined;
    readonly load: () => Promise<unknown>;
  };
}

/** True when nothing of the process is known to be running, so that a restart ends nothing. */
export const isOver = (info: ProcessInfo): boolean =>
  !isLive(info) && !isDraining(info) && !info.stillRunning;

/** True when the process is still running and can be restarted unchanged once it has ended. */
export const mayBeEndedAndRestarted = (info: ProcessInfo): boolean => !isOver(info) && info.restartable;

/** Keys of the restarts in progress, so that a second press does not start another one. */
const underWay = new Set<string>();

async function once(key: string, work: () => Promise<void>): Promise<void> {
  if (underWay.has(key)) return;
  underWay.add(key);
  try {
    await work();
  } finally {
    underWay.delete(key);
  }
}

export async function startAgain(parts: RestartParts, info: ProcessInfo): Promise<void> {
  if (!info.restartable) {
    // The gateway does not retain all start parameters of this process, so the person must complete them in the form.
    openDialog('startLike');
    return;
  }
  await once(info.key, () => restart(parts, info));
}

/** True when a sandbox requested by an agent has probably caused the failure and can be omitted. */
export const mayRunWithoutSandbox = (info: ProcessInfo): boolean =>
  isOver(info) && info.restartable && isDenied(info);

/** Restarts the process in the person's name, without the sandbox that its agent had requested. */
export const startAgainWithoutSandbox = (parts: RestartParts, info: ProcessInfo): Promise<void> =>
  once(info.key, () => restart(parts, info, true));

/**
 * Restarts processes: a single one opens in a pane, several only appear in the list. A refused restart
 * does not stop the others; once all have ended, rejects with the names and reasons of the refused ones.
 */
export async function restartAll(parts: RestartParts, infos: readonly ProcessInfo[]): Promise<void> {
  const [only] = infos;
  if (infos.length === 1 && only) return startAgain(parts, only);
  const refused: string[] = [];
  await Promise.all(
    infos.map((info) =>
      once(info.key, async () => {
        await restartProcess(parts.client, info);
      }).catch((error: unknown) => void refused.push(`${processName(info)} (${refusalText(error)})`)),
    ),
  );
  if (refused.length > 0) throw new Error(notRestartedText(refused, infos.length));
}

function notRestartedText(refused: readonly string[], total: number): string {
  const are = refused.length === 1 ? 'was' : 'were';
  return `${numberText(refused.length)} of ${numberText(total)} processes ${are} not restarted: ${named(refused)}.`;
}

/** Ends and restarts a process, after the usual confirmation, shown at `place`. */
export function endAndStartAgain(
  parts: RestartParts,
  info: ProcessInfo,
  place: Climb['place'],
  report: (problem: string) => void,
): void {
  const endFirst = async (): Promise<void> => {
    const word = 'Terminating the process before the restart';
    const terminal = parts.terminals.get(info.key);
    if (terminal) terminal.report(word);
    else showDone(word);
    await end(parts.client, info.key);
    await restart(parts, info);
  };
  const errand = {
    name: 'Restart',
    note: ' (stops it first)',
    run: (reportOf: typeof report) => {
      once(info.key, endFirst).catch((error: unknown) => reportOf(refusalSentence(error)));
    },
  };
  climb(parts, { step: 'terminate', keys: [info.key], place, errand }, report);
}

async function restart(
  { client, terminals }: RestartParts,
  info: ProcessInfo,
  withoutSandbox = false,
): Promise<void> {
  const [key] = await Promise.all([restartProcess(client, info, withoutSandbox), terminals.load()]);
  openPane(key);
  showPanes();
}

/**
 * Terminates the process; resolves when it is gone (`isGone`). Rejects when that takes too long or can no longer be
 * observed.
 */
export async function end({ connection, processes }: ExecClient, key: string): Promise<void> {
  await connection.request('process/terminate', { key });
  await new Promise<void>((resolve, reject) => {
    const undo: (() => void)[] = [];
    const settle = (problem: string | null): void => {
      for (const each of undo) each();
      clearTimeout(timer);
      if (problem === null) resolve();
      else reject(new Error(problem));
    };
    const look = (): void => {
      const info = processes.get(key);
      if (!info) settle('Not restarted: the process no longer exists.');
      else if (isGone(info)) settle(null);
    };
    const timer = setTimeout(
      () => settle(`Not restarted: the process did not end within ${durationText(PATIENCE_MS)}.`),
      PATIENCE_MS,
    );
    undo.push(
      processes.onChanged(look),
      connection.onState(() => settle('Not restarted: the connection was lost.')),
    );
    look();
  });
}

/**
 * True when the process has ended and its output is closed or all its survivors have ended, so that its ports are
 * normally free again.
 */
const isGone = (info: ProcessInfo): boolean =>
  info.state === 'closed' ||
  (info.state === 'exited' && info.allEndedAtMs !== null) ||
  (info.state === 'lost' && !info.stillRunning);
