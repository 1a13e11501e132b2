// All processes by key: live ones, and finished ones while there is room for them.
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { OldestOut } from '../limits/oldest-out.ts';
import type { ProcessControl, ProcessView } from '../keeper/process-view.ts';
import { RpcError } from '../rpc/rpc-error.ts';

export interface DirectoryLimits {
  readonly finishedProcesses: number;
  readonly finishedBytes: number;
  readonly finishedCommandChars: number;
  readonly finishedCharsPerToken: number;
}

/** Returns the error for an unknown process, and for a process that the caller is not allowed to see. */
export const unknownKey = (key: string): RpcError =>
  new RpcError(ErrorCode.unknownKey, `unknown process key ${key}`);

export class Directory {
  readonly #limits: DirectoryLimits;
  readonly #removed: (process: ProcessControl) => void;
  readonly #processes = new Map<string, ProcessControl>();
  /** Finished processes in the order in which they ended, with the bytes that each adds to the total. */
  readonly #finished = new Map<ProcessControl, number>();
  #finishedBytes = 0;
  /** Limits the number of finished processes, and the characters that clients supplied, in total and per token. */
  readonly #records: OldestOut<ProcessControl>;

  constructor(limits: DirectoryLimits, removed: (process: ProcessControl) => void) {
    this.#limits = limits;
    this.#removed = removed;
    this.#records = new OldestOut({
      entries: limits.finishedProcesses,
      size: limits.finishedCommandChars,
      sizePerOwner: limits.finishedCharsPerToken,
    });
  }

  get(key: string): ProcessControl | undefined {
    return this.#processes.get(key);
  }

  has(process: ProcessView): boolean {
    return this.#processes.get(process.key) === process;
  }

  all(): readonly ProcessControl[] {
    return [...this.#processes.values()];
  }

  get liveCount(): number {
    return this.#processes.size - this.#finished.size;
  }

  add(process: ProcessControl): void {
    this.#processes.set(process.key, process);
  }

  /**
   * Counts a process as finished, and evicts what exceeds the limits; call it when the process is closed or
   * lost.
   */
  finished(process: ProcessControl): void {
    if (this.#finished.has(process) || !this.has(process)) return;
    this.#count(process);
    const out = this.#records.add(process, process.description.starter.tokenId, recordChars(process));
    this.#makeRoom();
    for (const oldest of out) this.#remove(oldest);
  }

  /** Removes a process with its output, unless it is live. */
  forget(key: string): void {
    const process = this.#processes.get(key);
    if (!process || !this.#finished.has(process)) return;
    this.#records.remove(process);
    this.#remove(process);
  }

  /** Updates the retained bytes of a process, and the total. */
  #count(process: ProcessControl): void {
    const { costBytes } = process.log;
    this.#finishedBytes += costBytes - (this.#finished.get(process) ?? 0);
    this.#finished.set(process, costBytes);
  }

  /** Discards the output of the processes that ended first, beyond the limit; their records are retained. */
  #makeRoom(): void {
    for (const process of this.#finished.keys()) {
      if (this.#finishedBytes <= this.#limits.finishedBytes) break;
      process.discardOutput();
      this.#count(process);
    }
  }

  #remove(process: ProcessControl): void {
    this.#finishedBytes -= this.#finished.get(process) ?? 0;
    this.#finished.delete(process);
    this.#processes.delete(process.key);
    this.#removed(process);
  }
}

/** Returns the length, as JSON, of what clients supplied for a process. */
const recordChars = ({ spec: { argv, cwd, sandbox }, description }: ProcessView): number =>
  JSON.stringify([argv, cwd, sandbox?.policy ?? null, description]).length;
