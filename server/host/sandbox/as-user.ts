// Controls the program that checks files and creates placeholders as another user. That user can stop or kill
// it, or make it print anything.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ProgramFile } from '../../../protocol/approvals.ts';
import { numberText } from '../../../text/amounts.ts';
import { headOf } from '../../../text/cut.ts';
import type { Asked } from './decided.ts';
import { SandboxRefusal } from './refusal.ts';
import type { Identity, Policy } from './policy.ts';
import type { FactsQuestion, StartFacts } from './start-facts.ts';

/** A user of this system other than the gateway's. */
export interface OtherUser extends Identity {
  readonly name: string;
  readonly home: string;
}

export type Question =
  | { readonly asked: Asked }
  | { readonly facts: FactsQuestion }
  | { readonly make: readonly string[] }
  | { readonly removeEmpty: readonly string[] };

/** `refused`: the intent cannot be enforced; `failed`: the task could not be done. */
export type Answer =
  { readonly done: Policy | StartFacts | null } | { readonly refused: string } | { readonly failed: string };

const START_MS = 10_000;
const ANSWER_MS = 2000;
/** Maximum wait for a turn; after that, the request is refused. */
const TURN_MS = 10_000;
const ANSWER_BYTES = 8 * 1024 * 1024;
/** Maximum length of a refusal, which names one or two paths. */
const REFUSAL_CHARS = 16 * 1024;
/** Maximum length of a text about files, such as a path, a branch or a digest. */
const FACT_CHARS = 16 * 1024;

/**
 * Runs the program as another user. Call `policy`, `facts`, `make` and `removeEmpty` within a turn; they reject
 * with SandboxRefusal.
 */
export class AsUser {
  readonly #user: OtherUser;
  readonly #argv: readonly string[];
  #turn: Promise<unknown> = Promise.resolve();
  #program: Program | null = null;
  #isClosed = false;
  readonly #kill = (): void => this.#program?.end('the gateway is stopping');

  constructor(user: OtherUser, argv = programArgv()) {
    this.#user = user;
    this.#argv = argv;
    process.once('exit', this.#kill);
  }

  /** Runs `work` after all earlier turns, so that no other turn changes files between their check and their use. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Variant of `inTurn` that rejects with SandboxRefusal when the turn comes too late. */
  inTurnSoon<T>(work: () => Promise<T>): Promise<T> {
    const sinceMs = performance.now();
    return this.inTurn(() => {
      if (performance.now() - sinceMs > TURN_MS)
        throw this.#refusal('too many other starts were waiting; try again');
      return work();
    });
  }

  async policy(asked: Asked): Promise<Policy> {
    const { done } = await this.#ask({ asked });
    if (!isPolicy(done)) throw this.#refusal('the helper did not return a policy');
    return done;
  }

  async facts(facts: FactsQuestion): Promise<StartFacts> {
    const { done } = await this.#ask({ facts });
    if (!areFacts(done)) throw this.#refusal('the helper did not return file information');
    return done;
  }

  async make(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.#ask({ make: paths });
  }

  /** Removes each of these folders that is empty. */
  async removeEmpty(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.#ask({ removeEmpty: paths });
  }

  /** Ends the program after the queued turns; later ones are refused. */
  async close(): Promise<void> {
    await this.#turn;
    this.#isClosed = true;
    this.#kill();
    process.off('exit', this.#kill);
  }

  async #ask(question: Question): Promise<{ readonly done?: unknown }> {
    const program = await this.#started();
    const answer = await this.#answered(program.answer(question, ANSWER_MS));
    if ('refused' in answer) throw new SandboxRefusal(headOf(wordsOf(answer.refused), REFUSAL_CHARS));
    if ('failed' in answer) throw this.#refusal(wordsOf(answer.failed));
    return answer;
  }

  async #started(): Promise<Program> {
    if (this.#isClosed) throw this.#refusal('the gateway is stopping');
    if (this.#program && !this.#program.isOver) return this.#program;
    const program = new Program(this.#user, this.#argv);
    this.#program = program;
    await this.#answered(program.answer(null, START_MS));
    return program;
  }

  async #answered(line: Promise<string>): Promise<object> {
    try {
      const answer: unknown = JSON.parse(await line);
      if (typeof answer === 'object' && answer !== null) return answer;
      throw new Error('the helper did not return an object');
    } catch (error) {
      throw this.#refusal((error as Error).message);
    }
  }

  #refusal(why: string): SandboxRefusal {
    return new SandboxRefusal(
      `sandbox: its paths could not be looked up as ${this.#user.name}, so nothing was done: ${headOf(why, 300)}`,
    );
  }
}

/** The running program, which handles one request at a time and does not keep the gateway from ending. */
class Program {
  readonly #child: ChildProcess;
  #parts: Buffer[] = [];
  #bytes = 0;
  #waiting: ((reply: string | Error) => void) | null = null;
  isOver = false;

  constructor({ uid, gid, home }: OtherUser, [file = '', ...args]: readonly string[]) {
    this.#child = spawn(file, args, {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
      uid,
      gid,
    });
    const { stdin, stdout } = this.#child;
    this.#child.unref();
    for (const stream of [stdin, stdout]) if (stream instanceof Socket) stream.unref();
    this.#child.once('error', ({ message }) => this.end(message));
    this.#child.once('close', () => this.end('the helper has ended'));
    // The handler of the program's exit reports a better reason.
    stdin?.on('error', () => {});
    stdout?.on('data', (bytes: Buffer) => this.#took(bytes));
  }

  /**
   * Sends a request and resolves with the reply; null: waits for the line printed at the start. After `ms` it
   * rejects and ends the program.
   */
  answer(question: Question | null, ms: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`the helper took longer than ${ms / 1000} s`), ms);
      this.#waiting = (reply) => {
        clearTimeout(timer);
        this.#waiting = null;
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
      };
      if (question) this.#child.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  end(why: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#parts = [];
    this.#child.kill('SIGKILL');
    this.#waiting?.(new Error(why));
  }

  #took(bytes: Buffer): void {
    if (this.isOver) return;
    this.#bytes += bytes.length;
    if (this.#bytes > ANSWER_BYTES)
      return this.end(`the helper sent more than ${numberText(ANSWER_BYTES)} bytes`);
    this.#parts.push(bytes);
    if (bytes.at(-1) !== LINE_FEED) return;
    const line = Buffer.concat(this.#parts.splice(0)).toString();
    this.#bytes = 0;
    if (this.#waiting) this.#waiting(line);
    else this.end('the helper sent a reply without a request');
  }
}

const LINE_FEED = 0x0a;

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : 'the helper gave no reason');

const KINDS: readonly unknown[] = ['folder', 'file', 'missing'];

function isPolicy(value: unknown): value is Policy {
  const { grants, denied, network } = Object(value) as { [name: string]: unknown };
  return (
    Array.isArray(grants) &&
    Array.isArray(denied) &&
    [...grants, ...denied].every(isPlace) &&
    grants.every(({ access }: { access?: unknown }) => access === 'read' || access === 'write') &&
    (grants[0] as { path?: unknown } | undefined)?.path === '/' &&
    (network === 'restricted' || network === 'enabled')
  );
}

function isPlace(value: unknown): boolean {
  const { path, kind } = Object(value) as { path?: unknown; kind?: unknown };
  return typeof path === 'string' && path.startsWith('/') && !path.includes('\0') && KINDS.includes(kind);
}

function areFacts(value: unknown): value is StartFacts {
  const { branch, program, mark, realFolder, folder, places } = Object(value) as { [name: string]: unknown };
  const areTexts = [mark, places].every(isText) && [branch, realFolder, folder].every(isTextOrNull);
  return areTexts && (program === null || isProgram(program));
}

function isProgram(value: unknown): value is ProgramFile {
  const { path, bytes, modifiedAtMs, sha256 } = Object(value) as { [name: string]: unknown };
  return isText(path) && [bytes, modifiedAtMs].every(Number.isFinite) && isTextOrNull(sha256);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < FACT_CHARS;
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** Returns the command line of the program: built beside the gateway, or the source in development. */
function programArgv(): string[] {
  const built = fileURLToPath(new URL('sandbox-as-user.js', import.meta.url));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL('as-user-entry.ts', import.meta.url));
  return [process.execPath, '--import', createRequire(import.meta.url).resolve('tsx'), source];
}
