// Approvals: agents' requests waiting for a person, the decisions, and pauses. Exec-console's extension
// of the protocol.
import { z } from 'zod';
import { APPROVAL_POLICIES } from './console-constants.ts';
import { numberText } from './number-text.ts';
import type { ApprovalPolicy, CheckedPart, MatchedRule } from './rules.ts';
import { fileUri, name } from './scalars.ts';

const DECISIONS = ['accept', 'acceptForSession', 'acceptWithRule', 'decline', 'abort'] as const;
/** A person's decision; docs/approvals.md lists the effects. */
export type ApprovalDecision = (typeof DECISIONS)[number];

/** Maximum length of the message sent to an agent with a refusal. */
const MESSAGE_CHARS = 1000;

export const approvalsParams = z
  .object({
    /** True to include finished requests, up to the newest 1000. */
    all: z.boolean().optional(),
    /** Id of the only request to return, with its full command and all variables while it waits. */
    id: name.optional(),
  })
  .nullish();
export const decideParams = z.object({
  id: name,
  decision: z.enum(DECISIONS),
  /** Message to the agent, with `decline` and `abort`. */
  message: z.string().max(MESSAGE_CHARS).optional(),
  /** Rules as they were shown, with `acceptWithRule`; if other rules would be written, the decision is rejected. */
  rules: z.array(z.string()).optional(),
});
export type DecideParams = z.infer<typeof decideParams>;
/** Exactly one of `all`, `agent` and `session` is required. */
export const pauseParams = z.object({
  all: z.literal(true).optional(),
  /** Name of the agent to pause. */
  agent: name.optional(),
  /** Public label of the session to pause. */
  session: name.optional(),
  /** Thread of `session` to pause; requires `session`. */
  thread: name.optional(),
  /** True to interrupt the running processes of the paused agents, session or thread as well. */
  interrupt: z.boolean().optional(),
});
/** Exactly one member is required: all pauses, one by id, or those of one agent. */
export const unpauseParams = z.object({
  all: z.literal(true).optional(),
  id: name.optional(),
  agent: name.optional(),
});
export const setPolicyParams = z.object({
  /** Null resets to the default: for all agents the start-up policy, for one agent the policy of all. */
  policy: z.enum(APPROVAL_POLICIES).nullable(),
  agent: name.optional(),
});
export const checkCommandParams = z.object({ argv: z.array(z.string()).min(1, 'must not be empty') });
export const addRuleParams = z.object({
  prefix: z.array(z.string().min(1)).min(1, 'must not be empty').max(64),
});
export const acceptRulesParams = z
  .object({
    /**
     * Changes shown to the person, as returned by `console/rules`; if the files differ from them, the request
     * fails. Default: accept any.
     */
    changed: z
      .array(z.object({ file: z.string(), accepted: z.string().nullable(), found: z.string().nullable() }))
      .readonly()
      .optional(),
  })
  .nullish();
export const writeRulesParams = z.object({
  text: z.string().max(1024 * 1024),
  /** The rules that were edited; if the rules differ from them, the request fails. Default: replace any. */
  before: z
    .string()
    .max(1024 * 1024)
    .optional(),
});

/** Maximum length of the text that describes a tool's input, since a person reads all of it before deciding. */
const TOOL_INPUT_CHARS = 64 * 1024;

export const askParams = z.object({
  tool: z.string().min(1, 'must not be empty').max(200),
  /** Command that the tool would run; omitted for tools that run none. */
  argv: z.array(z.string()).min(1, 'must not be empty').optional(),
  /** Variables of the command that are added to the gateway's environment or override it. */
  env: z.record(z.string(), z.string()).optional(),
  /** Input of the tool, for people; for a tool with a command, only the part that the command does not show. */
  input: z
    .string()
    .max(
      TOOL_INPUT_CHARS,
      `must have at most ${numberText(TOOL_INPUT_CHARS)} characters, so that a person can read it`,
    )
    .optional(),
  cwd: fileUri,
  /** Metadata as in a start; its `toolCallId` approves one start of the accepted command within 10 minutes. */
  metadata: z.unknown().optional(),
  /** True to ask a person under every policy, unless a rule decides. */
  everyTime: z.boolean().optional(),
});

export interface AskResult {
  /** `none`: no approval is required here, or nobody decided; the agent then uses its own prompt. */
  readonly decision: 'accept' | 'decline' | 'none';
  /** Name of the person who decided; null when a rule decided or nobody did. */
  readonly decidedBy: string | null;
  /** Reason for the agent: with `decline`, and with `none` when the request was withdrawn or expired. */
  readonly message: string | null;
}

/** State of a request; all but `waiting` are final. */
export type ApprovalState = 'waiting' | 'accepted' | 'declined' | 'aborted' | 'withdrawn' | 'expired';

export type ApprovalKind = 'start' | 'input' | 'file' | 'request' | 'tool';

/** A variable that can change what runs, or that the command mentions, and that differs from the gateway's. */
export interface ChangedVariable {
  readonly name: string;
  /** Value in the request; null for observers. */
  readonly value: string | null;
}

/** A program file that could be replaced or modified before it runs. */
export interface ProgramFile {
  /** Real path, with symbolic links resolved. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** SHA-256 in hex; null for a file of more than 64 MiB. */
  readonly sha256: string | null;
}

/** A request for approval. Times are ms since the epoch. */
export interface Approval {
  readonly id: string;
  readonly state: ApprovalState;
  readonly kind: ApprovalKind;
  readonly method: string;
  /** Command to start, directly or by a tool; for input, the command of its process; otherwise empty. */
  readonly argv: readonly string[];
  /** False when the command or the variables may be truncated; listing by `id` returns a waiting request in full. */
  readonly isWhole: boolean;
  /** Program name passed as argv[0]; null: the first word of `argv`. */
  readonly arg0: string | null;
  /** Path of the folder; for a file request, the file's path; for an HTTP request, its URL without the query. */
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /**
   * True when the process would run in a sandbox, requested or the operator's minimum. One that leaves `/` writable
   * counts as none, even if it makes parts of it read-only.
   */
  readonly sandboxed: boolean;
  /** Name of the agent's token. */
  readonly startedBy: string;
  readonly clientName: string;
  /** Public label of the session. */
  readonly session: string;
  readonly processId: string | null;
  /** Metadata as the agent sent it; not verified. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Key of the process that the input is for; null for other kinds. */
  readonly key: string | null;
  /** The input, with control characters made visible; null for other kinds, finished requests, and observers. */
  readonly input: string | null;
  /** Details of a file change, HTTP request or tool call, as text for people; null if there are none to add. */
  readonly details: string | null;
  /** Reason why the request is waiting. */
  readonly reason: string;
  /** Rule that requires the approval; null if another reason does. */
  readonly rule: MatchedRule | null;
  /** Rules that `acceptWithRule` adds; if empty, that decision is not offered. */
  readonly proposedRules: readonly string[];
  /**
   * Commands that `argv` runs, with the rules' decision on each; incomplete if `complex` is set, and empty if there
   * are more than 50 or the request is truncated.
   */
  readonly parts: readonly CheckedPart[];
  readonly complex: string | null;
  readonly variables: readonly ChangedVariable[];
  /** Number of variables missing from `variables` while the request waits; listing by `id` returns all of them. */
  readonly moreVariables: number;
  /** Git branch of a start's folder; null if there is none or it is unknown. */
  readonly branch: string | null;
  /** First program of a start that could be replaced or modified; null if there is none or it is unknown. */
  readonly program: ProgramFile | null;
  /** Real path of a start's folder if symbolic links make it differ from `cwd`; null otherwise or if unknown. */
  readonly folder: string | null;
  /** Id of the pause that holds the request; null if none does. */
  readonly pause: string | null;
  /** True when the same thread has requested another start since, more than a second later. */
  readonly hasGoneOn: boolean;
  readonly createdAtMs: number;
  /** Null while waiting, and when nobody decides: withdrawn, expired or refused by a rule. `released`: not needed. */
  readonly decision: ApprovalDecision | 'released' | null;
  /** Person who decided, or whose other act, such as a change of a rule, released or refused the request. */
  readonly decidedBy: string | null;
  readonly decidedAtMs: number | null;
  /** Message of the person; for a request that is `declined` without a decision, the reason, such as the rule. */
  readonly message: string | null;
}

/** Holds new starts and `approvals/ask` requests of an agent, a session or a thread, or of all agents. */
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
  /** Policy for agents without a policy of their own. */
  readonly policy: ApprovalPolicy;
  /** Policy at the gateway's start. */
  readonly startedWith: ApprovalPolicy;
  /** Agents with a policy of their own. */
  readonly agents: readonly { readonly agent: string; readonly policy: ApprovalPolicy }[];
  readonly pauses: readonly Pause[];
  /** Reason why every request currently needs approval; null when the rules are valid and accepted. */
  readonly tightened: string | null;
  /** True when a rule forbids commands or network hosts. */
  readonly forbids: boolean;
}

export interface ApprovalsResult {
  /** Finished requests in the order in which they ended, then waiting ones in the order of their arrival. */
  readonly approvals: readonly Approval[];
  readonly settings: ApprovalSettings;
}

export interface DecideResult {
  readonly approval: Approval;
}

/** A rules file that was changed from outside the gateway. */
export interface ChangedRules {
  readonly file: string;
  /** Contents in effect; null: there was no such file. */
  readonly accepted: string | null;
  /** Contents on disk, not in effect; null: the file was deleted. */
  readonly found: string | null;
}

export interface RulesResult {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly changed: readonly ChangedRules[];
  readonly tightened: string | null;
}
