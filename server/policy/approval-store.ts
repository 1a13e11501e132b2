// The stored state of approvals: policies and pauses that people set, and the rules in force.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
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
  /** Folder of the rules → file → its text when it was accepted. */
  rules: z.record(z.string(), z.record(z.string(), z.string())),
  /** The policy that the last gateway was started with, for commands that find none; missing: `never`. */
  startedWith: policy.optional(),
});

export type StoredApprovals = z.infer<typeof file>;

const NOTHING: StoredApprovals = { policy: null, agents: {}, pauses: [], rules: {} };

export class ApprovalStore {
  readonly #path: string;
  #stored: StoredApprovals;

  /** Throws with the file's name when it cannot be parsed: its content may be stricter than the default. */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#stored = readStored(this.#path);
  }

  get stored(): StoredApprovals {
    return this.#stored;
  }

  /** Applies the change from now on; throws, with nothing changed, when it cannot be written. */
  change(change: Partial<StoredApprovals>): void {
    const stored = { ...this.#stored, ...change };
    writePrivateFile(this.#path, `${JSON.stringify(stored, null, 2)}\n`);
    this.#stored = stored;
  }
}

/**
 * Returns the policy that last applied to the agent, for when no gateway runs; the strictest when the file cannot be
 * read.
 */
export function storedPolicy(stateDir: string, agent: string): z.infer<typeof policy> {
  try {
    return policyIn(readStored(join(stateDir, FILE_NAME)), agent);
  } catch {
    return 'always';
  }
}

/** `startedWith`: of the gateway that runs; default: of the last one. */
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
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw error;
  }
  try {
    return file.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${path} is damaged; remove it and every pause and policy that people have set is gone, or restore it`,
      { cause },
    );
  }
}
