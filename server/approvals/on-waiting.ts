// The operator's command that notifies people of a request while no person watches the console.
import { spawn } from 'node:child_process';
import { masked } from '../../text/masking.ts';
import { commandLine } from '../../text/command-line.ts';
import type { Approval } from '../../protocol/approvals.ts';

/** Most notices at once, and most that wait for their turn; further ones are dropped, and the list has them all. */
const AT_ONCE = 2;
const MOST_WAITING = 100;

/** Longer none may run. */
const LONGEST_MS = 30_000;

/** Limit of a command line in the notice. */
const LONGEST_COMMAND = 2000;

export class OnWaiting {
  readonly #command: string;
  readonly #failed: (reason: string) => void;
  #queue: Approval[] = [];
  #running = 0;
  #isClosed = false;

  /** `command`: a line for the shell. `failed` is told why it did not end well. */
  constructor(command: string, failed: (reason: string) => void) {
    this.#command = command;
    this.#failed = failed;
  }

  /** The command gets the id, the agent and the covered command as a line of JSON on its stdin. */
  tell(approval: Approval): void {
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
    // The command may exit without reading its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(toldOf(approval))}\n`);
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

const toldOf = ({ id, startedBy, kind, argv, cwd, details, reason }: Approval): object => ({
  id,
  agent: startedBy,
  kind,
  command: (kind === 'tool' && argv.length === 0
    ? masked(details ?? '')
    : kind === 'start' || kind === 'tool'
      ? commandLine(argv.map(masked))
      : masked(cwd)
  ).slice(0, LONGEST_COMMAND),
  reason: masked(reason),
});
