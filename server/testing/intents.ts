// Sandbox intents as an agent sends them.
import { pathToFileURL } from 'node:url';

const special = (kind: string, access: string, more = {}, entry = {}): object => ({
  path: { type: 'special', value: { kind, ...more } },
  access,
  ...entry,
});

export interface IntentOptions {
  readonly network?: 'restricted' | 'enabled';
  /** Paths that must not be visible. */
  readonly denied?: readonly string[];
}

function intent(folder: string, entries: object[], { network = 'restricted', denied = [] }: IntentOptions) {
  const cwd = pathToFileURL(folder).href;
  const unseen = denied.map((path) => ({
    path: { type: 'path', path: pathToFileURL(path).href },
    access: 'none',
  }));
  return {
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries: [...entries, ...unseen] },
      network,
    },
    cwd,
    workspaceRoots: [cwd],
    windowsSandboxLevel: 'disabled',
    windowsSandboxProxySettingsMode: 'reconcile',
    useLegacyLandlock: false,
  };
}

export const readOnly = (folder: string, options: IntentOptions = {}): object =>
  intent(folder, [special('root', 'read')], options);

/** Returns an intent with all of the machine's files writable. */
export const open = (folder: string, options: IntentOptions = {}): object =>
  intent(folder, [special('root', 'write')], options);

/** Returns an intent with all of the machine's files writable, except for the folder. */
export const openAround = (folder: string): object =>
  intent(folder, [special('root', 'write'), special('project_roots', 'read')], {});

/**
 * Returns an intent that names nothing but one writable place: by its path, as the root of the project, or as
 * the working directory.
 */
export const onlyWrite = (
  folder: string,
  by: 'path' | 'project_roots' | 'current_working_directory',
): object =>
  intent(
    folder,
    [
      by === 'path'
        ? { path: { type: 'path', path: pathToFileURL(folder).href }, access: 'write' }
        : special(by, 'write'),
    ],
    {},
  );

export const workspaceWrite = (folder: string, options: IntentOptions = {}): object =>
  intent(
    folder,
    [
      special('root', 'read'),
      special('project_roots', 'write'),
      ...['.git', '.agents', '.codex', '.aws'].map((subpath) =>
        special('project_roots', 'read', { subpath }, { missing_path_behavior: 'skip' }),
      ),
    ],
    options,
  );
