// Input of an agent for a program that does what it reads: an approved shell is no approval for all that is typed into it.
import type { Approval } from '../../protocol/approvals.ts';
import { isFedByStdin } from '../policy/rules/fed-by-stdin.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import type { Peer } from '../sessions/peer.ts';
import { visibleLines } from '../../text/visible.ts';
import { asks, PLAIN, refuses, runs, type Asked, type Looked, type Under } from './asked.ts';
import { whose } from './start-question.ts';
import { isStartOf, type Question, type Waiter, type Why } from './waiting.ts';

/** Most characters of input that a person can be expected to read before deciding. */
const LONGEST_INPUT = 8000;

type Target = Pick<
  Approval,
  'argv' | 'cwd' | 'tty' | 'pipeStdin' | 'sandboxed' | 'metadata' | 'processId'
> & {
  /** Null while it waits for approval itself. */
  readonly key: string | null;
};

/** Params of a write in either dialect: by id or key in the present one, by id in the first. */
export interface WriteParams {
  readonly processId?: string;
  readonly chunk: string;
}

/** Null for input that nobody is asked about. */
export function askedInput(
  peer: Peer,
  { processId, chunk }: WriteParams,
  waiters: readonly Waiter[],
): Asked | null {
  if (processId === undefined || chunk === '') return null;
  const process = peer.session.process(processId);
  if (process) {
    const { spec, key, description } = process;
    const { argv, cwd, tty, pipeStdin, sandbox } = spec;
    const { metadata } = description;
    const place = { argv, cwd, tty: tty !== null, pipeStdin, sandboxed: sandbox !== null && !sandbox.isOpen };
    return new AskedInput({ ...place, metadata, processId, key }, chunk);
  }
  // Input for a waiting start would be written as soon as that is approved.
  const start = waiters.find((each) => isStartOf(each, peer, processId));
  if (!start) return null;
  const { argv, cwd, tty, pipeStdin, sandboxed, metadata } = start.approval;
  return new AskedInput({ argv, cwd, tty, pipeStdin, sandboxed, metadata, processId, key: null }, chunk);
}

class AskedInput implements Asked {
  readonly isStart = false;
  readonly settled = null;
  readonly isStill = null;
  readonly key = null;
  readonly asksOnce = false;
  readonly #target: Target;
  readonly #bytes: Buffer;

  /** `chunk`: base64. */
  constructor(target: Target, chunk: string) {
    this.#target = target;
    this.#bytes = Buffer.from(chunk, 'base64');
  }

  get thread(): string | null {
    return this.#target.metadata['threadId'] ?? null;
  }

  look(_rules: RuleSet, { policy, tightened }: Under): Looked {
    const { tty, argv, sandboxed } = this.#target;
    const isRead = tty || isFedByStdin(argv);
    const isAsked =
      tightened !== null || (policy !== 'never' && isRead && (!sandboxed || policy === 'always'));
    if (!isAsked) return runs();
    if (this.#bytes.length > LONGEST_INPUT || this.#bytes.includes(0))
      return refuses(
        `input that somebody has to approve may have ${LONGEST_INPUT} bytes and no NUL; nothing was written`,
      );
    return asks(tightened ?? `input for a program that ${tty ? 'has a terminal' : 'does what it reads'}`);
  }

  question(peer: Peer, why: Why): Question {
    return {
      ...PLAIN,
      ...whose(peer),
      ...why,
      ...this.#target,
      kind: 'input',
      method: 'process/write',
      input: visibleLines(this.#bytes.toString('utf8')),
    };
  }
}
