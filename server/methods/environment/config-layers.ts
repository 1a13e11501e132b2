// Reads the agent's configuration files on this machine: the requested values of each, the most general file first.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { uriFromPath } from '../../host/file-uri.ts';
import type { ConfigLayer } from '../../../protocol/environment-config.ts';
import { internal } from '../../rpc/rpc-error.ts';
import type { ConfigFiles } from './config-files.ts';

const CONFIG = 'config.toml';

/** Path of a value, such as `['mcp_servers', 'name']`. */
export type TomlPath = readonly string[];

export function codexHome(env: NodeJS.ProcessEnv): string {
  return env['CODEX_HOME'] ? resolve(env['CODEX_HOME']) : join(env['HOME'] || homedir(), '.codex');
}

/**
 * Returns the user's layer, followed by the project's layers from its root down to `cwd` if the user trusts that
 * project. A layer without any of the requested values is omitted.
 */
export async function configLayers(
  home: string,
  cwd: string,
  { paths, files }: { paths: readonly TomlPath[]; files: ConfigFiles },
): Promise<ConfigLayer[]> {
  const user = await readTable(join(home, CONFIG), files);
  const root = user && (await projectRoot(cwd, files));
  const folders = user && root && isTrusted(user, root) ? foldersBetween(root, cwd) : [];
  const layers = [user && layer('user', home, user, paths)];
  for (const folder of folders) {
    const base = join(folder, '.codex');
    const table = base === home ? null : await readTable(join(base, CONFIG), files);
    layers.push(table && layer('project', base, table, paths));
  }
  return layers.filter((each) => each !== null);
}

function layer(kind: string, base: string, table: TomlTable, paths: readonly TomlPath[]): ConfigLayer | null {
  const picked = pick(table, paths);
  if (Object.keys(picked).length === 0) return null;
  return {
    source: `${kind} (${join(base, CONFIG)})`,
    baseDir: uriFromPath(base),
    toml: stringify(picked, { numbersAsFloat: true }),
  };
}

/** Returns the values at these paths, within their parent tables. */
function pick(table: TomlTable, paths: readonly TomlPath[]): TomlTable {
  const picked: TomlTable = {};
  for (const path of paths) {
    const found = path.reduce<unknown>(
      (at, name) => (isTable(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      table,
    );
    if (found === undefined) continue;
    let into = picked;
    for (const name of path.slice(0, -1)) into = tableIn(into, name);
    Object.defineProperty(into, path.at(-1) ?? '', {
      value: found,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return picked;
}

function tableIn(table: TomlTable, name: string): TomlTable {
  const there = Object.hasOwn(table, name) ? table[name] : undefined;
  if (isTable(there)) return there;
  const made: TomlTable = {};
  Object.defineProperty(table, name, { value: made, enumerable: true, configurable: true, writable: true });
  return made;
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Returns the parsed file; null when it is missing. Throws an error that names the file when it cannot be parsed. */
async function readTable(path: string, files: ConfigFiles): Promise<TomlTable | null> {
  const text = await files.read(path);
  if (text === null) return null;
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (cause) {
    throw internal(`${path} cannot be parsed: ${(cause as Error).message.split('\n')[0]}`);
  }
}

/** Returns the nearest folder from `cwd` upwards that has a `.git`; otherwise `cwd` itself. */
async function projectRoot(cwd: string, files: ConfigFiles): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await files.isThere(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function isTrusted(user: TomlTable, root: string): boolean {
  const projects = user['projects'];
  const project = isTable(projects) ? projects[root] : undefined;
  return isTable(project) && project['trust_level'] === 'trusted';
}

/** Returns the folders from the root down to `cwd`, both included. */
function foldersBetween(root: string, cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; folder !== root && dirname(folder) !== folder; folder = dirname(folder))
    folders.unshift(folder);
  return [root, ...folders];
}
