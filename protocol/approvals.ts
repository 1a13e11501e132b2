// Approvals: requests of agents that wait for a person, decisions on them, and pauses. Ours on the wire.
import { z } from 'zod';
import { APPROVAL_POLICIES } from './console-constants.ts';
import type { ApprovalPolicy, CheckedPart, MatchedRule } from './rules.ts';
import { fileUri, name } from './scalars.ts';

const DECISIONS = ['accept', 'acceptForSession', 'acceptWithRule', 'decline', 'abort'] as const;
/** Decisions that a person can make; docs/approvals.md has the effect of each. */
export type ApprovalDecision = (typeof DECISIONS)[number];

/** Limit of the message that an agent gets with a refusal. */
const MESSAGE_CHARS = 1000;

export const approvalsParams = z
  .object({
    /** True to include finished requests: the newest 1000. */
    all: z.boolean().optional(),
    /** Id of the only request to return, with its command in full. */
    id: name.optional(),
  })
  .nullish();
export const decideParams = z.object({
  id: name,
  decision: z.enum(DECISIONS),
  /** Message to the agent, with `decline` and `abort`. */
  message: z.string().max(MESSAGE_CHARS).optional(),
});
/** Exactly one of `all`, `agent` and `session`. */
export const pauseParams = z.object({
  all: z.literal(true).optional(),
  /** All starts of the token with this name. */
  agent: name.optional(),
  /** A session's public label. */
  session: name.optional(),
  /** One thread of `session`, which must be given with it. */
  thread: name.optional(),
  /** Interrupts what runs, too. */
  interrupt: z.boolean().optional(),
});
/** Exactly one of them: all pauses, this one, or those that are about this agent. */
export const unpauseParams = z.object({
  all: z.literal(true).optional(),
  id: name.optional(),
  agent: name.optional(),
});
export const setPolicyParams = z.object({
  /** Null: what the gateway was started with or, of one agent, what holds for all. */
  policy: z.enum(APPROVAL_POLICIES).nullable(),
  agent: name.optional(),
});
export const checkCommandParams = z.object({ argv: z.array(z.string()).min(1, 'must not be empty') });
export const addRuleParams = z.object({
  prefix: z.array(z.string().min(1)).min(1, 'must not be empty').max(64),
});
export const acceptRulesParams = z
  .object({
    /** The changes that the person was shown, as `console/rules` returned them; others are refused. Absent: any. */
    changed: z
      .array(z.object({ file: z.string(), accepted: z.string().nullable(), found: z.string().nullable() }))
      .readonly()
      .optional(),
  })
  .nullish();
export const writeRulesParams = z.object({ text: z.string().max(1024 * 1024) });

/** Longest text of a tool's input that a person is shown. */
const TOOL_INPUT_CHARS = 64 * 1024;

export const askParams = z.object({
  /** Name of the agent's tool. */
  tool: z.string().min(1, 'must not be empty').max(200),
  /** The command that it would run, as a start of it would have it; omitted for other tools. */
  argv: z.array(z.string()).min(1, 'must not be empty').optional(),
  /** Variables that the command would have over the gateway's own environment. */
  env: z.record(z.string(), z.string()).optional(),
  /** The effect of another tool, as text for people. */
  input: z.string().max(TOOL_INPUT_CHARS).optional(),
  cwd: fileUri,
  /** Metadata as in a start; `toolCallId` joins the start that follows, which then needs no second approval. */
  metadata: z.unknown().optional(),
  /** True to ask a person under every policy, unless a rule decides. */
  everyTime: z.boolean().optional(),
});

export interface AskResult {
  /** `none`: nothing here asks about it, or nobody has decided; the agent's own question is still to be asked. */
  readonly decision: 'accept' | 'decline' | 'none';
  /** Name of the person; null when a rule has decided, or nobody. */
  readonly decidedBy: string | null;
  /** Reason for the agent, with `decline`, and with `none` when somebody was asked. */
  readonly message: string | null;
}

/** State of a request. */
export type ApprovalState = 'waiting' | 'accepted' | 'declined' | 'aborted' | 'withdrawn' | 'expired';

/** The kind of act that an agent asks for. */
export type ApprovalKind = 'start' | 'input' | 'file' | 'request' | 'tool';

/** A variable that may change what runs, and is not as in the gateway's own environment. */
export interface ChangedVariable {
  readonly name: string;
  /** Null for observers. */
  readonly value: string | null;
}

/** A program file that could have been replaced. */
export interface ProgramFile {
  /** The real path, without links. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** SHA-256 in hex; null for a file of more than 64 MiB. */
  readonly sha256: string | null;
}

/** One request. Times are ms since the epoch. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly kind: ApprovalKind;
  /** The method that waits. */
  readonly method: string;
  /** The command to start, also by a tool; of input that of its process; else empty. */
  readonly argv: readonly string[];
  /** False when `argv` has only the beginning of a very long command; the whole is available by `id`. */
  readonly isWhole: boolean;
  /** Value of argv[0]; null when it is the first word. */
  readonly arg0: string | null;
  /** A path; of a file its own, of a request the address. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /**
   * True when the agent asked for a sandbox that does not leave all files writable, or the operator's floor gives it
   * one.
   */
  readonly sandboxed: boolean;
  /** The name of the agent's token. */
  readonly startedBy: string;
  readonly clientName: string;
  /** The session's public label. */
  readonly session: string;
  readonly processId: string | null;
  /** The agent's own statements about it; not checked. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The process that input is for. */
  readonly key: string | null;
  /** The input itself, with what hides in it visible. */
  readonly input: string | null;
  /** Other effects of a change to a file or a request to elsewhere, as text for people; null of other kinds. */
  readonly details: string | null;
  /** Reason why the request is waiting. */
  readonly reason: string;
  /** The rule that asks. */
  readonly rule: MatchedRule | null;
  /** The rules that `acceptWithRule` writes; none: it is not offered. */
  readonly proposedRules: readonly string[];
  /** The commands that it runs, with the verdict of the rules on each. */
  readonly parts: readonly CheckedPart[];
  readonly complex: string | null;
  readonly variables: readonly ChangedVariable[];
  /** The git branch of the folder of a start; null: there is none, or it is not known yet. */
  readonly branch: string | null;
  /** The program of a start, when it lies in a writable folder; null: it does not, or it is not known yet. */
  readonly program: ProgramFile | null;
  /** The pause that holds it. */
  readonly pause: string | null;
  /** True when the same thread has started something since. */
  readonly hasGoneOn: boolean;
  readonly createdAtMs: number;
  /** Null while the request is waiting, and when nobody decided it. `released`: it needs no approval any more. */
  readonly decision: ApprovalDecision | 'released' | null;
  readonly decidedBy: string | null;
  readonly decidedAtMs: number | null;
  readonly message: string | null;
}

/** A hold on every new start of an agent, a session or a thread, or of all. */
export interface Pause {
  readonly id: string;
  readonly agent: string | null;
  readonly session: string | null;
  readonly thread: string | null;
  readonly why: 'paused' | 'aborted';
  readonly by: string;
  readonly atMs: number;
}

export interface ApprovalSettings {
  /** The policy for all agents. */
  readonly policy: ApprovalPolicy;
  /** The policy that the gateway was started with. */
  readonly startedWith: ApprovalPolicy;
  /** Agents for which another one holds. */
  readonly agents: readonly { readonly agent: string; readonly policy: ApprovalPolicy }[];
  readonly pauses: readonly Pause[];
  /** Reason why every request needs approval; null when the rules are fine. */
  readonly tightened: string | null;
  /** True when a rule forbids something. */
  readonly forbids: boolean;
}

export interface ApprovalsResult {
  /** Requests, oldest first. */
  readonly approvals: readonly Approval[];
  readonly settings: ApprovalSettings;
}

export interface DecideResult {
  readonly approval: Approval;
}

/** A file of rules that was changed otherwise than by the gateway. */
export interface ChangedRules {
  readonly file: string;
  /** The text that applies; null: there was no such file. */
  readonly accepted: string | null;
  /** The text on disk, which does not apply; null: the file is gone. */
  readonly found: string | null;
}

export interface RulesResult {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly changed: readonly ChangedRules[];
  readonly tightened: string | null;
}
