// Adds entries to an agent's settings, and removes them, without changing other entries.
import { isDeepStrictEqual } from 'node:util';

export type Settings = { readonly [name: string]: unknown };

export interface Edit {
  readonly path: readonly string[];
  /** Member at the path or, with `isListed`, an item of the list there. */
  readonly value: unknown;
  readonly isListed?: true;
  /**
   * Returns true for a value that exec-console added, also in an earlier run; omitted for a value that the user may
   * also have set.
   */
  readonly isOurs?: (value: unknown) => boolean;
  /**
   * Returns the long form of a value that has a short form at the first name of the path; null when the value
   * is not a short form.
   */
  readonly opened?: (short: unknown) => Settings | null;
  /** True for a member that must follow the patterns in its object, which would otherwise override it. */
  readonly isLast?: true;
}

export const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the settings with the entries; throws for a value that is not an object or list where an entry needs one. */
export function added(settings: Settings, edits: readonly Edit[]): Settings {
  return edits.reduce((given, { path, value, isListed, isOurs, opened, isLast }) => {
    const [name = ''] = path;
    const object = opened?.(given[name]) ?? null;
    const all = object === null ? given : { ...given, [name]: object };
    if (!isListed)
      return changed(isLast && isOverridden(all, path) ? without(all, path) : all, path, () => value);
    return changed(all, path, (list) => {
      if (list !== undefined && !Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
      return [...(list ?? []).filter((item: unknown) => !isOurs?.(item)), value];
    });
  }, settings);
}

/**
 * Returns the settings without the entries. A value that an entry replaced is restored from `before`, the settings
 * before the agent was connected, unless the user has changed the entry since.
 */
export function removed(settings: Settings, edits: readonly Edit[], before: Settings): Settings {
  return edits.reduce((all, { path, value, isListed, isOurs, opened }) => {
    const former = at(before, path);
    const withoutOurs = (now: unknown): unknown => {
      if (now === undefined) return undefined;
      if (!isListed) return isDeepStrictEqual(now, value) || isOurs?.(now) ? former : now;
      if (!Array.isArray(now)) return now;
      const others = now.filter((item: unknown) => !isOurs?.(item));
      return others.length > 0 || former !== undefined ? others : undefined;
    };
    const result = changed(all, path, withoutOurs, before);
    const [name = ''] = path;
    const object = opened?.(before[name]) ?? null;
    return object !== null && isDeepStrictEqual(result[name], object)
      ? { ...result, [name]: before[name] }
      : result;
  }, settings);
}

/** Returns true when the settings have entries that exec-console added in this or an earlier run. */
export const isConnected = (settings: Settings, edits: readonly Edit[]): boolean =>
  edits.some(({ path, isListed, isOurs }) => {
    const now = at(settings, path);
    if (!isOurs || now === undefined) return false;
    return isListed ? Array.isArray(now) && now.some(isOurs) : isOurs(now);
  });

const at = (settings: Settings, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isSettings(value) ? value[name] : undefined), settings);

const without = (settings: Settings, path: readonly string[]): Settings =>
  changed(settings, path, () => undefined);

/** Returns true when a later member of the same object has a pattern, with `*`, as its name. */
function isOverridden(settings: Settings, path: readonly string[]): boolean {
  const object = at(settings, path.slice(0, -1));
  const names = isSettings(object) ? Object.keys(object) : [];
  const place = names.indexOf(path.at(-1) ?? '');
  return place !== -1 && names.slice(place + 1).some((name) => name.includes('*'));
}

/** Changes the value at a path; objects that become empty are removed, unless they were there `before`. */
function changed(
  settings: Settings,
  path: readonly string[],
  change: (value: unknown) => unknown,
  before: Settings = {},
): Settings {
  const [name = '', ...rest] = path;
  const value = settings[name];
  if (rest.length > 0 && value !== undefined && !isSettings(value))
    throw new Error(`${name} is not an object`);
  const former = isSettings(before[name]) ? before[name] : undefined;
  const next = rest.length === 0 ? change(value) : changed((value ?? {}) as Settings, rest, change, former);
  const isEmpty = rest.length > 0 && isSettings(next) && Object.keys(next).length === 0;
  const isGone = next === undefined || (isEmpty && former === undefined);
  if (!isGone) return { ...settings, [name]: next };
  return Object.fromEntries(Object.entries(settings).filter(([each]) => each !== name));
}
