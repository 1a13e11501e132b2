// Sandboxes that a person can choose, each with the intent that an agent would send.
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { fileUri } from '../../../client/start-params.ts';

/**
 * Paths that stay read-only in a writable folder: they configure version control, agents and access to AWS.
 */
const PROTECTED = ['.git', '.agents', '.codex', '.aws'];
const WRITABLE = 'Can write to its folder (except .git, .agents, .codex and .aws), /tmp and $TMPDIR.';

export const SANDBOX_CHOICES = {
  none: {
    title: 'None',
    about: 'Full access as the gateway’s user, unless the gateway has a minimum sandbox.',
  },
  readOnly: {
    title: 'Read-only, no network',
    about: 'Can read every file and write none. No network.',
  },
  workspace: {
    title: 'Writable folder, no network',
    about: `${WRITABLE} No network.`,
  },
  workspaceNetwork: {
    title: 'Writable folder, with network',
    about: `${WRITABLE} Network allowed.`,
  },
} as const;

export type SandboxChoice = keyof typeof SANDBOX_CHOICES;

export const isSandboxChoice = (value: unknown): value is SandboxChoice =>
  typeof value === 'string' && Object.hasOwn(SANDBOX_CHOICES, value);

type Entry = SandboxIntent['permissions']['file_system']['entries'][number];
type Special = Extract<Entry['path'], { type: 'special' }>['value'];

const entry = (value: Special, access: Entry['access'], more: Partial<Entry> = {}): Entry => ({
  path: { type: 'special', value },
  access,
  ...more,
});

const READ_ALL = entry({ kind: 'root' }, 'read');
const WRITE_FOLDER: readonly Entry[] = [
  entry({ kind: 'slash_tmp' }, 'write'),
  entry({ kind: 'tmpdir' }, 'write'),
  entry({ kind: 'project_roots' }, 'write'),
  ...PROTECTED.map((subpath) =>
    entry({ kind: 'project_roots', subpath }, 'read', { missing_path_behavior: 'skip' }),
  ),
];

/** Returns the intent; undefined when none is requested, so that only the gateway's floor applies. */
export function sandboxIntent(choice: SandboxChoice, cwd: string): SandboxIntent | undefined {
  if (choice === 'none') return undefined;
  const folder = fileUri(cwd);
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: choice === 'readOnly' ? [READ_ALL] : [READ_ALL, ...WRITE_FOLDER],
      },
      network: choice === 'workspaceNetwork' ? 'enabled' : 'restricted',
    },
    cwd: folder,
    workspaceRoots: [folder],
  };
}
