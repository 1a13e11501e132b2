// Unified exec for one client: exec_command, write_stdin and related tools.
import type { AskResult } from '../../protocol/approvals.ts';
import type { Identity } from '../policy/identity.ts';
import { answerOf, type Answer } from './answer.ts';
import { asked } from './ask.ts';
import { Attention, type Call } from './attention.ts';
import {
  execArguments,
  folderOf,
  MOST_TOKENS,
  readArguments,
  sessionArgument,
  startParams,
  terminateArguments,
  writeArguments,
} from './calls.ts';
import type { Room, UnifiedClient } from './client.ts';
import { onceWaiting, start, startAgain, written } from './effects.ts';
import { checkEscalation, workspaceWrite } from './sandbox.ts';
import { Failed, IN_USE, STDIN_CLOSED, unknownProcess } from './failed.ts';
import type { Held } from './held.ts';
import { answered, cancelled } from './answered.ts';
import { Cut, type Line } from './line.ts';
import { outputAgain, sessionList } from './listing.ts';

/** Time in which an early exit is detected, in addition to the requested wait. */
const EARLY_EXIT_MS = 150;
/** Maximum wait for the process to exit because of a write. */
const AFTER_WRITE_MS = 100;
/** Minimum wait for the decision on a second run, so that the answer can report that the run waits for approval. */
const AGAIN_MS = 150;
/** Time for SIGKILL to take effect, after the grace period. */
const KILL_MS = 1000;
const INTERRUPT = '\u0003';

interface Asked {
  readonly tool: string;
  readonly yieldMs: number;
  readonly mostTokens: number;
  readonly lines?: readonly string[];
}

/** Tools for one client. Invalid arguments result in an answer that states the error, not in an exception. */
export class UnifiedExec {
  readonly #identity: Identity;
  readonly #client: UnifiedClient;
  readonly #room: Room;
  readonly #used = new Set<Line>();
  /** Controllers that abort the calls in progress when the client disconnects. */
  readonly #calls = new Set<AbortController>();
  /** Line on which this client starts processes; null before the first start, and after the line has expired. */
  #own: Line | null = null;
  #isClosed = false;
  /** Outages at the time of the last answer that returned output, so that only new ones are reported. */
  #outages: readonly string[] = [];

  constructor(identity: Identity, client: UnifiedClient, room: Room) {
    this.#identity = identity;
    this.#client = client;
    this.#room = room;
  }

  /** Adopts lines of an earlier gateway, and repeats the starts that were waiting for approval there. */
  goOn(lines: readonly Line[]): void {
    for (const line of lines) this.#attach(line);
    for (const held of this.#room.sessions.of(this.#identity.tokenId)) {
      if (!lines.includes(held.facts.line)) continue;
      void held.resumes?.();
      held.resumes = null;
    }
  }

  execCommand(args: unknown, call: Call): Promise<Answer> {
    const tool = 'exec_command';
    return this.#during(tool, call, async (attention) => {
      const asked = execArguments(args);
      checkEscalation(asked, this.#room.policyOf(this.#identity.name));
      const cwd = folderOf(asked.workdir, call);
      const thread = call.thread ?? this.#client.thread;
      this.#own ??= this.#room.lines.of(this.#identity, this.#client);
      const { held, ended } = this.#room.sessions.add({
        line: this.#use(this.#own),
        tokenId: this.#identity.tokenId,
        thread,
        cwd,
        cmd: asked.cmd,
        tty: asked.tty,
      });
      const params = startParams(held.processId, cwd, asked, {
        call,
        thread,
        parentThread: call.parentThread ?? this.#client.parentThread ?? null,
        version: this.#client.version,
        shell: this.#room.shell,
      });
      const isTried = asked.permissions === 'use_default' && this.#triesSandbox;
      const started = isTried ? { ...params, sandbox: workspaceWrite(cwd) } : params;
      // Input typed into a terminal cannot be repeated, so a command in a terminal gets no second run.
      if (isTried && !asked.tty) held.inSandbox = started;
      return attention.inTurn(held, async () => {
        void start(held, started, this.#room);
        await attention.untilDecided(held, () => held.isDecided);
        if (attention.isOver) onceWaiting(held, this.#room, () => this.#withdraw(held));
        if (held.key !== null) await attention.until(held, () => held.hasExited, EARLY_EXIT_MS);
        const lines = ended.map(
          ({ held: { facts }, most }) => `Ended to make room (limit: ${most} sessions): session ${facts.id}`,
        );
        return this.#answer(held, attention, { ...asked, tool, lines });
      });
    });
  }

  writeStdin(args: unknown, call: Call): Promise<Answer> {
    const tool = 'write_stdin';
    return this.#during(tool, call, async (attention) => {
      const id = sessionArgument(args);
      const held = this.#open(tool, id);
      const asked = { ...writeArguments(args), tool };
      return attention.inTurn(held, async (isMyTurn) => {
        if (!isMyTurn) {
          if (asked.chars !== '') throw new Failed(`${tool} failed: ${IN_USE}`);
          return this.#shown(held, { ...asked, mostTokens: 0 }, 0, false);
        }
        // The session is looked up again, because the previous call may have reported the exit, which closes it.
        this.#open(tool, id);
        await held.facts.line.attach();
        if (!held.isDecided && !held.mayRunAgain) await attention.untilDecided(held, () => held.isDecided);
        this.#throwFailure(held, tool);
        if (asked.chars !== '') await this.#write(held, asked.chars, attention);
        return this.#answer(held, attention, asked);
      });
    });
  }

  listSessions(): Promise<Answer> {
    const all = this.#room.sessions.of(this.#identity.tokenId);
    const sessions = all.filter((held) => !held.hasExited || this.#isOwn(held));
    return Promise.resolve(
      sessionList(sessions, (held) => ({
        forApproval: this.#waitsForApproval(held),
        forInput: this.#waitsForInput(held),
      })),
    );
  }

  readOutput(args: unknown): Promise<Answer> {
    const tool = 'read_output';
    return answered(tool, () => {
      const asked = readArguments(args);
      const held = this.#room.sessions.readable(asked.id, this.#identity.tokenId);
      if (!held) throw new Failed(`${tool} failed: ${unknownProcess(asked.id)}`);
      return Promise.resolve(outputAgain(held, asked));
    });
  }

  terminate(args: unknown, call: Call): Promise<Answer> {
    const tool = 'terminate';
    return this.#during(tool, call, async (attention) => {
      const { id, graceMs } = terminateArguments(args);
      const held = this.#open(tool, id);
      if (!held.isDecided && !held.mayRunAgain) {
        this.#withdraw(held);
        return { text: `Withdrawn: session ${id} was not started`, isError: false };
      }
      if (held.mayRunAgain) this.#withdraw(held);
      // A termination is not queued behind a call that is waiting for output.
      else await held.facts.line.request('process/terminate', { processId: held.processId, graceMs });
      held.noteFailedWrites();
      return attention.inTurn(held, () =>
        this.#answer(held, attention, { tool, yieldMs: graceMs + KILL_MS, mostTokens: MOST_TOKENS }),
      );
    });
  }

  /**
   * Requests a decision about the agent's own tool, with the params of `approvals/ask`; resolves with null when the
   * wait ends before a decision.
   */
  ask(params: object, { signal }: Pick<Call, 'signal'>): Promise<AskResult | null> {
    const line = this.#room.lines.of(this.#identity, { ...this.#client, thread: null });
    return this.#whileOpen(signal, (wait) => asked(line, params, wait));
  }

  /** Disconnects the client: unless it reconnects, sessions that only it uses expire after 80 s (by default). */
  close(): void {
    this.#isClosed = true;
    for (const each of this.#calls) each.abort();
    for (const line of this.#used) line.leave(this);
    this.#room.left();
  }

  /** Reconnects a disconnected client to its sessions, except those that have expired. */
  reopen(): void {
    this.#isClosed = false;
    this.#room.entered();
    for (const line of this.#used) {
      if (!line.isOver) this.#attach(line);
      else if (this.#used.delete(line) && line === this.#own) this.#own = null;
    }
  }

  #attach(line: Line): void {
    this.#use(line);
    line.attach().catch(() => undefined);
  }

  #during(tool: string, call: Call, work: (attention: Attention) => Promise<Answer>): Promise<Answer> {
    if (call.signal.aborted) return Promise.resolve(cancelled(tool));
    return this.#whileOpen(call.signal, (signal) =>
      answered(tool, () => work(new Attention(call, signal, this.#room.approval))),
    );
  }

  /** Runs `work` with a signal that is aborted when the call is cancelled or the client disconnects. */
  async #whileOpen<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    this.#calls.add(controller);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      return await work(controller.signal);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#calls.delete(controller);
    }
  }

  /** True when commands run in a sandbox first, and a person may approve a second run without the sandbox. */
  get #triesSandbox(): boolean {
    return !this.#room.hasFloor && this.#room.policyOf(this.#identity.name) === 'on-failure';
  }

  #use(line: Line): Line {
    if (this.#isClosed) throw new Cut('the client has disconnected');
    this.#used.add(line);
    line.use(this);
    return line;
  }

  /** Returns the session with this id, and marks it as used; throws Failed if the token has no such open session. */
  #open(tool: string, id: number): Held {
    const held = this.#room.sessions.open(id, this.#identity.tokenId);
    if (!held) throw new Failed(`${tool} failed: ${unknownProcess(id)}`);
    held.usedAtMs = performance.now();
    this.#use(held.facts.line);
    return held;
  }

  #withdraw(held: Held): void {
    if (!held.mayRunAgain) this.#room.sessions.remove(held);
    const { line } = held.facts;
    line.request('process/terminate', { processId: held.processId }).catch(() => undefined);
  }

  #throwFailure(held: Held, tool: string): void {
    const failure = held.failures.shift();
    if (failure === undefined) return;
    if (held.hasNotStarted) this.#room.sessions.remove(held);
    throw new Failed(`${tool} failed: ${failure}`);
  }

  async #write(held: Held, chars: string, attention: Attention): Promise<void> {
    const { tty, line, id } = held.facts;
    const { processId } = held;
    if (!held.isDecided)
      throw new Failed(
        `write_stdin failed: session ${id} is still waiting for approval; nothing was written`,
      );
    if (!tty && chars !== INTERRUPT) throw new Failed(`write_stdin failed: ${STDIN_CLOSED}`);
    if (held.hasExited) return;
    if (tty) await attention.settled(held, written(held, chars));
    else await line.request('process/signal', { processId, signal: 'interrupt' });
    await attention.until(held, () => held.hasExited, AFTER_WRITE_MS);
    this.#throwFailure(held, 'write_stdin');
  }

  /** Waits up to `yieldMs` for the process to exit; resolves with its output since the last answer. */
  async #answer(held: Held, attention: Attention, asked: Asked): Promise<Answer> {
    this.#throwFailure(held, asked.tool);
    const beganAtMs = performance.now();
    const leftMs = (): number => beganAtMs + asked.yieldMs - performance.now();
    // The second run may still be waiting for a decision; if that run is withdrawn, the first run is current again.
    if (held.mayRunAgain) await attention.untilDecided(held, () => held.isDecided, leftMs());
    let askedMs = performance.now() - beganAtMs;
    if (held.isDecided) {
      await attention.untilEnded(held, leftMs());
      const againMs = await this.#askedAgain(held, attention, leftMs());
      if (held.isDecided && againMs > 0) await attention.untilEnded(held, leftMs());
      askedMs += againMs;
    }
    // The answer of a cancelled call is not delivered, so the output is left for the next call.
    if (attention.isOver) return cancelled(asked.tool);
    return this.#shown(held, asked, performance.now() - beganAtMs - askedMs, true);
  }

  /**
   * Requests a second run of a command that its sandbox has blocked, and waits up to `leftMs`, or `AGAIN_MS` if that is
   * longer, for the decision. Resolves with the ms that it has waited; with 0 if it requested no second run.
   */
  async #askedAgain(held: Held, attention: Attention, leftMs: number): Promise<number> {
    const { inSandbox, view, hasExited } = held;
    const isBlocked = hasExited && view?.sandboxDenied === true && view.endedBy === null;
    if (inSandbox === null || !isBlocked || attention.isOver || !this.#triesSandbox) return 0;
    const sinceMs = performance.now();
    void startAgain(held, inSandbox);
    await attention.untilDecided(held, () => held.isDecided, Math.max(leftMs, AGAIN_MS));
    if (attention.isOver) onceWaiting(held, this.#room, () => this.#withdraw(held));
    return performance.now() - sinceMs;
  }

  #shown(held: Held, { mostTokens, lines = [] }: Asked, wallMs: number, takesOutput: boolean): Answer {
    const answer = answerOf(held, {
      wallMs,
      mostTokens,
      lines: takesOutput ? [...this.#newOutages(), ...lines] : lines,
      takesOutput,
      waitsForApproval: this.#waitsForApproval(held),
      waitsForInput: this.#waitsForInput(held),
      agent: this.#identity.name,
    });
    if (!takesOutput) return answer;
    if (held.hasExited) held.reported();
    const { notes } = this.#room;
    const { drained, facts } = held;
    // The next gateway repeats the output after the noted place, so the place is noted only once the answer is sent.
    return notes ? { ...answer, given: () => notes.set('drain', String(facts.id), drained) } : answer;
  }

  /** Returns true for a session of this client's lines or thread; without threads, until the exit was reported. */
  #isOwn({ facts, reportedAtMs }: Held): boolean {
    if (this.#used.has(facts.line)) return true;
    return facts.thread === this.#client.thread && (facts.thread !== null || reportedAtMs === null);
  }

  #newOutages(): readonly string[] {
    const before = this.#outages;
    this.#outages = this.#room.outages(this.#identity.name);
    return this.#outages.filter((each) => !before.includes(each));
  }

  #waitsForApproval(held: Held): boolean {
    return !held.hasExited && this.#room.approval(held.facts.line.label, held.processId) !== undefined;
  }

  #waitsForInput({ view, hasExited }: Held): boolean {
    return view !== undefined && !hasExited && this.#room.waitsForInput(view);
  }
}
