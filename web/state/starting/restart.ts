// Restarting: a finished process at once, a running one after it has been ended; one that cannot be restarted through
// the form.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { climb, type Climb } from '../ending/climb.ts';
import { openPane } from '../layout/layout-store.ts';
import { isDenied, isDraining, isLive } from '../../../text/process-words.ts';
import { refusalText } from '../page/refusal.ts';
import { openDialog, showPanes, tellDone } from '../page/page-store.ts';
import { restartProcess } from './start-process.ts';

/**
 * Time after which a restart is abandoned: the ladder kills after 5 s, and a process still there long after that will
 * not end.
 */
const PATIENCE_MS = 30_000;

/** The page's client and terminals, as far as a restart needs them. */
export interface RestartParts {
  readonly client: ExecClient;
  readonly terminals: {
    readonly get: (key: string) => { readonly tell: (word: string) => void } | undefined;
    readonly load: () => Promise<unknown>;
  };
}

/** True when the process is finished, so that one key restarts it. */
export const isOver = (info: ProcessInfo): boolean => !isLive(info) && !isDraining(info);

/** True when the process must be ended first, and can then be restarted as it was. */
export const mayBeEndedAndRestarted = (info: ProcessInfo): boolean => !isOver(info) && info.restartable;

/** Keys of the restarts in progress: a second press does not begin another one. */
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
    // The variables and the policy of this process are not kept: a person fills in what they know.
    openDialog('startLike');
    return;
  }
  await once(info.key, () => restart(parts, info));
}

/** True where the sandbox that an agent asked for has probably made the process fail, and can be left out. */
export const mayRunWithoutSandbox = (info: ProcessInfo): boolean =>
  isOver(info) && info.restartable && isDenied(info);

/** Restarts it as a person's own process, without the sandbox that it had asked for. */
export const startAgainWithoutSandbox = (parts: RestartParts, info: ProcessInfo): Promise<void> =>
  once(info.key, () => restart(parts, info, true));

/** Restarts the processes: a single one opens in a pane, several appear only in the list. */
export async function restartAll(parts: RestartParts, infos: readonly ProcessInfo[]): Promise<void> {
  const [only] = infos;
  if (infos.length === 1 && only) return startAgain(parts, only);
  await Promise.all(
    infos.map((info) =>
      once(info.key, async () => {
        await restartProcess(parts.client, info);
      }),
    ),
  );
}

/** Ends and restarts a process, with the usual confirmation of an end, shown at `place`. */
export function endAndStartAgain(
  parts: RestartParts,
  info: ProcessInfo,
  place: Climb['place'],
  tell: (problem: string) => void,
): void {
  const endFirst = async (): Promise<void> => {
    const word = 'Terminating it before the restart';
    const terminal = parts.terminals.get(info.key);
    if (terminal) terminal.tell(word);
    else tellDone(word);
    await end(parts.client, info.key);
    await restart(parts, info);
  };
  const errand = {
    name: 'Restart',
    note: ' (stops it first)',
    run: (tellOf: typeof tell) => {
      once(info.key, endFirst).catch((error: unknown) => tellOf(refusalText(error)));
    },
  };
  climb(parts, { step: 'terminate', keys: [info.key], place, errand }, tell);
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
 * Terminates the process as the ladder does; resolves when all of it is gone. Rejects when its end cannot be observed.
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
      if (!info) settle('Not restarted: the gateway no longer knows the process.');
      else if (isGone(info)) settle(null);
    };
    const timer = setTimeout(() => settle('Not restarted: the process does not end.'), PATIENCE_MS);
    undo.push(
      processes.onChanged(look),
      connection.onState(() => settle('Not restarted: the connection was lost.')),
    );
    look();
  });
}

/** True when its leftovers are gone, too, before another process takes its place and its ports. */
const isGone = (info: ProcessInfo): boolean =>
  info.state === 'closed' || (info.state === 'exited' && info.allEndedAtMs !== null);
