// Stored state of approvals: policies and pauses set by people, and the accepted rules.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import { readRegular } from '../host/regular-file.ts';
import { withFileLock } from './file-lock.ts';
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
/** Policies by the name of the agent; `z.record` would drop the name `__proto__`. */
const agents = z
  .preprocess((all) => Object.entries(all as object), z.array(z.tuple([z.string(), policy])))
  .transform((all) => Object.fromEntries(all));
const file = z.object({
  policy: policy.nullable(),
  agents,
  pauses: z.array(pause),
  /** Accepted text of each rule file, by the configured path (a file or folder) and by the path of the file. */
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
   * Reads the file, which may be missing. Throws an error that names it when it cannot be read or parsed, because its
   * policies may be stricter than the default.
   */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#stored = readStored(this.#path);
  }

  get stored(): StoredApprovals {
    return this.#stored;
  }

  /** Reads the file again; throws as the constructor does. */
  reload(): void {
    this.#stored = readStored(this.#path);
  }

  /**
   * Applies a change here, and to the file as another gateway of this state folder may have left it. What that gateway
   * has stored applies here only after a restart, since a command of an agent could have written it. Throws, and changes
   * nothing, when the file is locked or cannot be written.
   */
  change(change: (stored: StoredApprovals) => Partial<StoredApprovals>): void {
    const changed = (stored: StoredApprovals): StoredApprovals => ({ ...stored, ...change(stored) });
    const own = changed(this.#stored);
    withFileLock(this.#path, (checkHeld) => {
      const stored = changed(this.#inFile());
      checkHeld();
      writePrivateFile(this.#path, `${JSON.stringify(stored, null, 2)}\n`);
    });
    this.#stored = own;
  }

  /** Returns the content of the file, or what applies here when the file is missing or damaged. */
  #inFile(): StoredApprovals {
    try {
      return existsSync(this.#path) ? readStored(this.#path) : this.#stored;
    } catch {
      return this.#stored;
    }
  }
}

/**
 * Returns the policy that last applied to the agent, for use without a running gateway: `never` when there is no file,
 * `always` when it cannot be read or parsed.
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
