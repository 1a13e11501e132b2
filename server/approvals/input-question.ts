// The approval request of an agent's input to a program; approving the program does not approve its input.
import type { Approval } from '../../protocol/approvals.ts';
import { numberText } from '../../text/amounts.ts';
import { isFedByStdin } from '../policy/rules/fed-by-stdin.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import type { Peer } from '../sessions/peer.ts';
import { asks, PLAIN, refuses, runs, type Asked, type Looked, type Under } from './asked.ts';
import { inputText } from './input-text.ts';
import { requesterOf } from './start-question.ts';
import type { OnPointless, Question, Why } from './waiting.ts';

/** Maximum number of bytes of input that a person can be expected to read before deciding. */
const LONGEST_INPUT = 8000;

type Target = Pick<
  Approval,
  'argv' | 'cwd' | 'tty' | 'pipeStdin' | 'sandboxed' | 'metadata' | 'processId'
> & {
  /** Key of the process; null while its start waits for approval. */
  readonly key: string | null;
  /** True when no environment variable makes a shell run other code before or instead of its script. */
  readonly runsAsWritten: boolean;
};

export class AskedInput implements Asked {
  readonly isStart = false;
  readonly settled = null;
  readonly isStill = null;
  readonly lacksSandbox = false;
  readonly key = null;
  readonly asksOnce = false;
  readonly allVariables = null;
  readonly onPointless: OnPointless;
  readonly #target: Target;
  readonly #bytes: Buffer;

  /** `chunk`: base64; `onPointless`: reports that the target process has ended or was not started. */
  constructor(target: Target, chunk: string, onPointless: OnPointless) {
    this.#target = target;
    this.onPointless = onPointless;
    this.#bytes = Buffer.from(chunk, 'base64');
  }

  get thread(): string | null {
    return this.#target.metadata['threadId'] ?? null;
  }

  look(_rules: RuleSet, { policy, tightened }: Under): Looked {
    const { tty, argv, sandboxed, runsAsWritten } = this.#target;
    const isRead = tty || isFedByStdin(argv, runsAsWritten);
    const isAsked =
      tightened !== null || (policy !== 'never' && isRead && (!sandboxed || policy === 'always'));
    if (!isAsked) return runs();
    if (this.#bytes.length > LONGEST_INPUT || this.#bytes.includes(0))
      return refuses(
        `input that needs approval may have at most ${numberText(LONGEST_INPUT)} bytes and no NUL byte; nothing was written`,
      );
    return asks(tightened ?? `input for a program that ${tty ? 'has a terminal' : 'executes what it reads'}`);
  }

  question(peer: Peer, why: Why): Question {
    const { runsAsWritten: _, ...target } = this.#target;
    return {
      ...PLAIN,
      ...requesterOf(peer),
      ...why,
      ...target,
      kind: 'input',
      method: 'process/write',
      input: inputText(this.#bytes),
    };
  }
}
