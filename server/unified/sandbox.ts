// Creates the sandbox for commands under the `on-failure` policy: the agent's folder and the temporary folders are
// writable, the network is off.
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import type { SandboxIntent } from '../../protocol/sandbox.ts';
import { uriFromPath } from '../host/file-uri.ts';
import type { ExecArguments } from './calls.ts';
import { Failed, NO_ESCALATION } from './failed.ts';

type Entry = SandboxIntent['permissions']['file_system']['entries'][number];

/** Folders of a workspace that stay read-only, because they determine what other programs run. */
const READ_ONLY = ['.git', '.agents', '.codex', '.aws'];

/** Returns the sandbox that Codex uses by default for commands in a trusted folder. */
export function workspaceWrite(folder: string): SandboxIntent {
  const cwd = uriFromPath(folder);
  const writable = ['project_roots', 'tmpdir', 'slash_tmp'] as const;
  const entries: Entry[] = [
    { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
    ...writable.map((kind): Entry => ({ path: { type: 'special', value: { kind } }, access: 'write' })),
    ...READ_ONLY.map((subpath): Entry => ({
      path: { type: 'special', value: { kind: 'project_roots', subpath } },
      access: 'read',
      missing_path_behavior: 'skip',
    })),
  ];
  return {
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries },
      network: 'restricted',
    },
    cwd,
    workspaceRoots: [cwd],
  };
}

/** Throws Failed when a start may not request these permissions under the policy. */
export function checkEscalation({ permissions }: ExecArguments, policy: ApprovalPolicy): void {
  if (permissions === 'use_default') return;
  if (policy === 'never') throw new Failed(NO_ESCALATION);
  if (permissions === 'with_additional_permissions')
    throw new Failed(
      'exec_command failed: with_additional_permissions is not supported; use require_escalated',
    );
}
