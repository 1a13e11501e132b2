// Runs the operator's command that notifies people of a waiting request while no operator watches the console.
import { spawn } from 'node:child_process';
import { headOf } from '../../text/cut.ts';
import { masked } from '../../text/masking.ts';
import { commandLine } from '../../text/command-line.ts';
import type { Approval } from '../../protocol/approvals.ts';

/**
 * Maximum number of notifications that are sent at the same time, and of queued ones. Further ones are dropped, but
 * the console lists all requests.
 */
const AT_ONCE = 2;
const MOST_WAITING = 100;

/** Maximum run time of the command. */
const LONGEST_MS = 30_000;

/** Maximum length of the command line in a notification, in characters. */
const LONGEST_COMMAND = 2000;

export class OnWaiting {
  readonly #command: string;
  readonly #failed: (reason: string) => void;
  #queue: Approval[] = [];
  #running = 0;
  #isClosed = false;

  /** `command`: a shell command. `failed`: called with the reason when the command fails. */
  constructor(command: string, failed: (reason: string) => void) {
    this.#command = command;
    this.#failed = failed;
  }

  /**
   * Queues a run of the command with one line of JSON on stdin: the id, agent, kind, command and reason of the request,
   * with secrets masked. Does nothing when the queue is full, or after `close`.
   */
  notify(approval: Approval): void {
    if (this.#isClosed || this.#queue.length >= MOST_WAITING) return;
    this.#queue.push(approval);
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#queue = [];
  }

  #next(): void {
    if (this.#running >= AT_ONCE) return;
    const approval = this.#queue.shift();
    if (!approval) return;
    this.#running += 1;
    const done = (why: string | null): void => {
      this.#running -= 1;
      if (why !== null) this.#failed(why);
      this.#next();
    };
    const child = spawn('/bin/sh', ['-c', this.#command], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    // A command that exits without reading its stdin causes an error here, which is not a failure.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(noticeOf(approval))}\n`);
    let why: string | null = null;
    child.on('error', (error) => {
      why = error.message;
      if (child.pid === undefined) done(why);
    });
    child.on('exit', (code, signal) =>
      done(code === 0 ? null : (why ?? (signal === null ? `exit ${code}` : `killed by ${signal}`))),
    );
  }
}

const noticeOf = (approval: Approval): object => ({
  id: approval.id,
  agent: approval.startedBy,
  kind: approval.kind,
  command: headOf(commandOf(approval), LONGEST_COMMAND),
  reason: masked(approval.reason),
});

/**
 * Returns the text that identifies the request: its command with secrets masked (for input, that of the process), the
 * details of a tool call without a command, or the method and place of a file change or HTTP request.
 */
function commandOf({ kind, method, argv, cwd, details }: Approval): string {
  if (kind === 'start' || kind === 'input' || (kind === 'tool' && argv.length > 0))
    return commandLine(argv.map(masked));
  return kind === 'tool' ? masked(details ?? '') : `${method} ${masked(cwd)}`;
}
