// Unified exec: the tools exec_command and write_stdin with all that belongs to them, for one client at a time.
import type { Identity } from '../policy/identity.ts';
import type { Channel } from '../rpc/channel.ts';

/** One client, as an MCP session: an agent and one of its threads. */
export interface UnifiedClient {
  /** Name of the agent, as `claude-code`; shown to people. */
  readonly name: string;
  readonly version: string | null;
  /** Thread or session of the agent, for grouping; null when it has told none. */
  readonly thread: string | null;
  /** Thread that started this one; null when there is none. */
  readonly parentThread?: string | null;
}

/** One call of a tool. */
export interface Call {
  /** The agent's id of the call; null when it has told none. */
  readonly callId: string | null;
  /** Thread of this call; default: the client's. */
  readonly thread?: string | null;
  readonly parentThread?: string | null;
  readonly model?: string | null;
  /** Default folder, an absolute path; null: `workdir` is required. */
  readonly cwd: string | null;
  /** The answer comes before so many ms are over. */
  readonly budgetMs: number;
  /** Ends the wait of this call, never a process. */
  readonly signal: AbortSignal;
  /** Called every 10 s while the call waits, with the last line of output or what is waited for. */
  readonly progress?: (message: string) => void;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** Values of the answer for programs, without the prefix that a door puts before each name. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface RoomOptions {
  /** Serves one connection of this identity as an exec-server does. */
  readonly serve: (channel: Channel, identity: Identity) => void;
}

/** All clients of the gateway: sessions have ids that are unique here, and valid for the token that started them. */
export class UnifiedRoom {
  constructor(_options: RoomOptions) {}

  /** Returns the tools of one client. A client that comes back with the same token finds its sessions again. */
  enter(identity: Identity, client: UnifiedClient): UnifiedExec {
    return new UnifiedExec(identity, client);
  }

  /** Stops every wait and timer; processes are ended elsewhere. */
  close(): void {}
}

/** The tools, for one client. Arguments come from outside and are parsed here; what is wrong with them is an Answer. */
export class UnifiedExec {
  constructor(_identity: Identity, _client: UnifiedClient) {}

  execCommand(_args: unknown, _call: Call): Promise<Answer> {
    return notYet();
  }

  writeStdin(_args: unknown, _call: Call): Promise<Answer> {
    return notYet();
  }

  listSessions(): Promise<Answer> {
    return notYet();
  }

  readOutput(_args: unknown): Promise<Answer> {
    return notYet();
  }

  terminate(_args: unknown, _call: Call): Promise<Answer> {
    return notYet();
  }

  /** Call when the client is gone: its processes run on for 80 s, unless it comes back, or a person pins them. */
  close(): void {}
}

const notYet = (): Promise<Answer> => Promise.resolve({ text: 'not yet', isError: true });
