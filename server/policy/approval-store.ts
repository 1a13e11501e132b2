// Stored state of approvals: policies and pauses set by people, and the accepted rules.
import { join } from 'node:path';
import { z } from 'zod';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import { readRegular } from '../host/regular-file.ts';
import { writePrivateFile } from './state-dir.ts';

const FILE_NAME = 'approvals.json';

const policy = z.enum(APPROVAL_POLICIES);
const pause = z.object({
  id: z.string(),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  thread: z.string().nullable(),
  why: z.enum(['paused', 'aborted']),
  by: z.string(),
  atMs: z.number(),
});
const file = z.object({
  policy: policy.nullable(),
  agents: z.record(z.string(), policy),
  pauses: z.array(pause),
  /** Accepted text of each file, by the path of the rules and the path of the file. */
  rules: z.record(z.string(), z.record(z.string(), z.string())),
  /** Policy with which the last gateway was started, for commands that run without a gateway; default `never`. */
  startedWith: policy.optional(),
});

export type StoredApprovals = z.infer<typeof file>;

const NOTHING: StoredApprovals = { policy: null, agents: {}, pauses: [], rules: {} };

export class ApprovalStore {
  readonly #path: string;
  #stored: StoredApprovals;

  /**
   * Throws an error that names the file when it cannot be read or parsed, because its policies may be
   * stricter than the default.
   */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#stored = readStored(this.#path);
  }

  get stored(): StoredApprovals {
    return this.#stored;
  }

  /** Applies and stores a change; throws, and changes nothing, when it cannot be written. */
  change(change: Partial<StoredApprovals>): void {
    const stored = { ...this.#stored, ...change };
    writePrivateFile(this.#path, `${JSON.stringify(stored, null, 2)}\n`);
    this.#stored = stored;
  }
}

/**
 * Returns the policy that last applied to the agent, for use without a running gateway; the strictest one
 * when the file cannot be read.
 */
export function storedPolicy(stateDir: string, agent: string): z.infer<typeof policy> {
  try {
    return policyIn(readStored(join(stateDir, FILE_NAME)), agent);
  } catch {
    return 'always';
  }
}

/**
 * Returns the policy for an agent: its own, else that for all agents, else `startedWith`, by default that of
 * the last gateway.
 */
export function policyIn(
  { policy: ofAll, agents, startedWith: last = 'never' }: StoredApprovals,
  agent: string,
  startedWith: z.infer<typeof policy> = last,
): z.infer<typeof policy> {
  return (Object.hasOwn(agents, agent) ? agents[agent] : null) ?? ofAll ?? startedWith;
}

function readStored(path: string): StoredApprovals {
  let text: string;
  try {
    text = readRegular(path).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw error;
  }
  try {
    return file.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${path} is damaged; restore it, or remove it, which drops every pause and policy that people have set`,
      { cause },
    );
  }
}
