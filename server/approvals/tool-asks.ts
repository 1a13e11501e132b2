// Decisions that an agent requests before it runs a tool, and the starts that follow them.
import type { Approval, AskResult } from '../../protocol/approvals.ts';
import type { Requests } from '../../protocol/methods.ts';
import type { EnvironmentPolicy } from '../../protocol/process.ts';
import type { StartFacts } from '../host/sandbox/start-facts.ts';
import { deadlineIn, isOver, type Deadline } from '../policy/deadline.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import { visible, visibleLines } from '../../text/visible.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Peer } from '../sessions/peer.ts';
import { checkCommandSize, shownMetadata } from '../sessions/start.ts';
import { asks, PLAIN, runs, type Asked, type Looked, type Under } from './asked.ts';
import { pack } from './packed.ts';
import { AskedStart, requesterOf, shownPath, type StartCircumstances } from './start-question.ts';
import type { CurrentLook, Question, WaitingQueue, Why } from './waiting.ts';

export type AskParams = Requests['approvals/ask']['params'];

/** Time within which an agent must start an accepted command; a later start needs another approval. */
const GRANTED_MS = 10 * 60_000;
/** Maximum number of accepted starts that have not happened yet; beyond it, the oldest needs another approval. */
const MOST_GRANTED = 1000;

/** Facts under which a start was accepted in advance. */
export interface Granted {
  readonly facts: StartFacts;
  /** Environment variables that may change which code runs, and those that the command may read, as JSON. */
  readonly changed: string;
  readonly ends: Deadline;
}

type Look = (peer: Peer, asked: Asked) => CurrentLook;

export class ToolAsks {
  readonly #circumstances: StartCircumstances;
  readonly #queue: WaitingQueue;
  readonly #look: Look;
  readonly #granted = new Map<string, Granted>();

  constructor(circumstances: StartCircumstances, queue: WaitingQueue, look: Look) {
    this.#circumstances = circumstances;
    this.#queue = queue;
    this.#look = look;
  }

  /**
   * Resolves with the decision of a person or a rule; `none` when neither decided. Rejects for a command or an
   * environment that is too large.
   */
  async ask(peer: Peer, params: AskParams): Promise<AskResult> {
    const { limits } = this.#circumstances;
    const { argv } = params;
    if (argv) checkCommandSize('approvals/ask', { argv, env: params.env ?? {} }, limits);
    const asked = new AskedTool(params, this.#circumstances);
    const { verdict, why } = this.#look(peer, asked);
    if (verdict.kind === 'refuse')
      return { decision: 'decline', decidedBy: null, message: visible(verdict.reason) };
    if (verdict.kind === 'run') return asked.isAllowedByRule ? ACCEPTED : UNDECIDED;
    const facts = asked.start?.facts(why, false) ?? null;
    let over: Approval | null = null;
    const refusal = await this.#queue
      .wait(asked.question(peer, why), {
        peer,
        thread: asked.thread,
        look: () => this.#look(peer, asked),
        remember: null,
        asksOnce: false,
        onPointless: null,
        facts,
        retained: asked.pack(),
        allVariables: asked.allVariables,
        over: (approval) => {
          over = approval;
        },
      })
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof RpcError) return error.message;
          throw error;
        },
      );
    const result = outcomeOf(over, refusal);
    if (result.decision !== 'accept') return released(over) && asked.isAllowedByRule ? ACCEPTED : result;
    if (asked.start && facts) this.#grant(peer, asked.start, await facts);
    return result;
  }

  /**
   * Returns and removes the approval given in advance for a start; null if there is none, if it has expired, or if
   * the start's variables do not match it (see `runsAs`), in which case it is not removed.
   */
  granted(peer: Peer, start: AskedStart): Granted | null {
    const name = nameOf(peer, start);
    const granted = name === null ? undefined : this.#granted.get(name);
    if (name === null || !granted || !start.runsAs(JSON.parse(granted.changed) as AskedStart['changed']))
      return null;
    this.#granted.delete(name);
    return isOver(granted.ends) ? null : granted;
  }

  #grant(peer: Peer, start: AskedStart, facts: StartFacts): void {
    const name = nameOf(peer, start);
    if (name === null) return;
    this.#granted.set(name, {
      facts,
      changed: JSON.stringify(start.changed),
      ends: deadlineIn(GRANTED_MS),
    });
    for (const oldest of this.#granted.keys()) {
      if (this.#granted.size <= MOST_GRANTED) break;
      this.#granted.delete(oldest);
    }
  }
}

/** Returns the key of an approval given in advance; null for a start that names no tool call. */
const nameOf = ({ identity }: Peer, { callId, sameRun }: AskedStart): string | null =>
  callId === null ? null : JSON.stringify([identity.tokenId, callId, sameRun]);

const ACCEPTED: AskResult = { decision: 'accept', decidedBy: null, message: null };
const UNDECIDED: AskResult = { decision: 'none', decidedBy: null, message: null };

const released = (over: Approval | null): boolean => over?.decision === 'released';

function outcomeOf(over: Approval | null, refusal: string | null): AskResult {
  // A request without a decision may name the person who changed the rules, but that person has not decided it.
  const decidedBy = over?.decision ? over.decidedBy : null;
  if (refusal === null) return released(over) ? UNDECIDED : { decision: 'accept', decidedBy, message: null };
  const isDecided = over?.state === 'declined' || over?.state === 'aborted';
  return { decision: isDecided ? 'decline' : 'none', decidedBy, message: refusal };
}

class AskedTool implements Asked {
  readonly isStart = true;
  readonly settled = null;
  readonly isStill = null;
  readonly onPointless = null;
  readonly lacksSandbox = false;
  readonly key = null;
  readonly asksOnce = false;
  readonly allVariables: Asked['allVariables'];
  /** Start that would follow the tool call; null for a tool that runs no command. */
  readonly start: AskedStart | null;
  readonly #params: AskParams;
  #isAllowedByRule = false;

  constructor(params: AskParams, circumstances: StartCircumstances) {
    const { argv, env = {}, cwd, metadata } = params;
    this.#params = params;
    this.start = argv
      ? new AskedStart(
          { processId: '', argv, cwd, env, metadata, tty: false, envPolicy: WHOLE_ENVIRONMENT },
          circumstances,
        )
      : null;
    this.allVariables = this.start && this.start.allVariables;
  }

  /** Packs the params of the tool call and of its start; returns their length in characters. */
  pack(): number {
    return pack(this.#params) + (this.start?.pack() ?? 0);
  }

  get thread(): string | null {
    return shownMetadata(this.#params.metadata)['threadId'] ?? null;
  }

  /** True when the last verdict came from rules that allow the whole command. */
  get isAllowedByRule(): boolean {
    return this.#isAllowedByRule;
  }

  look(rules: RuleSet, under: Under): Looked {
    const { tool, everyTime = false } = this.#params;
    const looked = this.start?.look(rules, under);
    if (!looked) {
      const isAsked = everyTime || under.tightened !== null || under.policy === 'always';
      return isAsked ? asks(under.tightened ?? `the agent asks to use ${visible(tool)}`) : runs();
    }
    const { verdict, judged } = looked;
    const isPlain = judged.complex === null && this.start?.changesNothing === true;
    this.#isAllowedByRule =
      verdict.kind === 'run' && isPlain && judged.parts.length > 0 && judged.parts.every(isAllowed);
    if (verdict.kind !== 'run' || this.#isAllowedByRule || !everyTime) return looked;
    return { judged, verdict: asks('the agent asks for permission').verdict };
  }

  question(peer: Peer, why: Why): Question {
    const { tool, input = '', cwd, metadata } = this.#params;
    const kind = { kind: 'tool', method: 'approvals/ask', processId: null } as const;
    const shown = visibleLines(input);
    if (this.start)
      return { ...this.start.question(peer, why), ...kind, details: shown === '' ? null : shown };
    return {
      ...PLAIN,
      ...requesterOf(peer),
      ...why,
      ...kind,
      cwd: shownPath(cwd),
      metadata: shownMetadata(metadata),
      details: shown === '' ? visible(tool) : `${visible(tool)}\n${shown}`,
    };
  }
}

const isAllowed = ({ decision }: { readonly decision: string | null }): boolean => decision === 'allow';

const WHOLE_ENVIRONMENT: EnvironmentPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};
