// A Codex sandbox intent as sent over the wire. Unknown members and values are rejected, not guessed.
import { z } from 'zod';
import { fileUri, pathText } from './scalars.ts';

const special = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('root') }),
  z.strictObject({ kind: z.literal('current_working_directory') }),
  z.strictObject({ kind: z.literal('project_roots'), subpath: pathText.nullish() }),
  z.strictObject({ kind: z.literal('tmpdir') }),
  z.strictObject({ kind: z.literal('slash_tmp') }),
]);

const entry = z.strictObject({
  path: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('special'), value: special }),
    z.strictObject({ type: z.literal('path'), path: fileUri }),
  ]),
  access: z.enum(['read', 'write', 'none']),
  missing_path_behavior: z.literal('skip').nullish(),
});

/** Maximum number of entries: people do not write longer policies, and each entry costs mounts. */
const MAX_ENTRIES = 256;
const MAX_ROOTS = 64;

/** A member for other systems or sandbox methods: accepted without effect, and dropped. */
const ignored = z
  .unknown()
  .transform(() => undefined)
  .optional();

export const sandboxIntent = z.strictObject({
  permissions: z.strictObject({
    type: z.literal('managed'),
    file_system: z.strictObject({
      type: z.literal('restricted'),
      entries: z.array(entry).max(MAX_ENTRIES),
    }),
    network: z.enum(['restricted', 'enabled']),
  }),
  cwd: fileUri.nullish(),
  workspaceRoots: z.array(fileUri).max(MAX_ROOTS).nullish(),
  windowsSandboxLevel: ignored,
  windowsSandboxProxySettingsMode: ignored,
  policyContext: ignored,
  userHomeDir: ignored,
  useLegacyLandlock: z.literal(false).nullish(),
  /** Managed networking is not supported here, so it must be absent. */
  managedNetwork: z.null().optional(),
  networkProxy: z.null().optional(),
});

export type SandboxIntent = Readonly<z.infer<typeof sandboxIntent>>;
