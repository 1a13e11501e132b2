// Adds entries to an agent's settings, and removes them, without changing other entries.
import { isDeepStrictEqual } from 'node:util';

export type Settings = { readonly [name: string]: unknown };

export interface Edit {
  readonly path: readonly string[];
  /** Member at the path or, with `isListed`, an item of the list there. */
  readonly value: unknown;
  readonly isListed?: true;
  /** True for a value that exec-console added, now or earlier; omitted for one that others also use. */
  readonly isOurs?: (value: unknown) => boolean;
}

export const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws an error for people when a value of another kind is in the way. */
export function added(settings: Settings, edits: readonly Edit[]): Settings {
  return edits.reduce((all, { path, value, isListed, isOurs }) => {
    if (!isListed) return changed(all, path, () => value);
    return changed(all, path, (list) => {
      if (list !== undefined && !Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
      return [...(list ?? []).filter((item: unknown) => !isOurs?.(item)), value];
    });
  }, settings);
}

/**
 * `before`: the settings without the entries; values that an entry replaced are restored from it, unless the user has changed them
 * since.
 */
export function removed(settings: Settings, edits: readonly Edit[], before: Settings): Settings {
  return edits.reduce((all, { path, value, isListed, isOurs }) => {
    const former = at(before, path);
    return changed(all, path, (now) => {
      if (now === undefined) return undefined;
      if (!isListed) return isDeepStrictEqual(now, value) || isOurs?.(now) ? former : now;
      if (!Array.isArray(now)) return now;
      const others = now.filter((item: unknown) => !isOurs?.(item));
      return others.length > 0 || former !== undefined ? others : undefined;
    });
  }, settings);
}

/** Returns true when the settings have entries that exec-console added, now or earlier. */
export const isConnected = (settings: Settings, edits: readonly Edit[]): boolean =>
  edits.some(({ path, isListed, isOurs }) => {
    const now = at(settings, path);
    if (!isOurs || now === undefined) return false;
    return isListed ? Array.isArray(now) && now.some(isOurs) : isOurs(now);
  });

const at = (settings: Settings, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isSettings(value) ? value[name] : undefined), settings);

/** Changes the value at a path; objects that become empty are removed. */
function changed(settings: Settings, path: readonly string[], change: (value: unknown) => unknown): Settings {
  const [name = '', ...rest] = path;
  const value = settings[name];
  if (rest.length > 0 && value !== undefined && !isSettings(value))
    throw new Error(`${name} is not an object`);
  const next = rest.length === 0 ? change(value) : changed((value ?? {}) as Settings, rest, change);
  const isGone =
    next === undefined || (rest.length > 0 && isSettings(next) && Object.keys(next).length === 0);
  if (!isGone) return { ...settings, [name]: next };
  return Object.fromEntries(Object.entries(settings).filter(([each]) => each !== name));
}
