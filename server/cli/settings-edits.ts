// Entries in an agent's settings, added and removed without a change to anything else in them.

export type Settings = { readonly [name: string]: unknown };

export interface Edit {
  readonly path: readonly string[];
  /** The member at the path or, with `isListed`, one item of a list there. */
  readonly value: unknown;
  readonly isListed?: true;
  /** True for a value that was added here, now or earlier; omitted for one that others have as well. */
  readonly isOurs?: (value: unknown) => boolean;
}

export const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws a sentence when another kind of value is in the way. */
export function added(settings: Settings, edits: readonly Edit[]): Settings {
  return edits.reduce((all, { path, value, isListed, isOurs }) => {
    if (!isListed) return changed(all, path, () => value);
    return changed(all, path, (list) => {
      if (list !== undefined && !Array.isArray(list)) throw new Error(`${path.join('.')} is no list`);
      return [...(list ?? []).filter((item: unknown) => !isOurs?.(item)), value];
    });
  }, settings);
}

/** `before`: the settings without the entries, as they were; what an entry has replaced is put back. */
export function removed(settings: Settings, edits: readonly Edit[], before: Settings): Settings {
  return edits.reduce((all, { path, isListed, isOurs }) => {
    const former = at(before, path);
    return changed(all, path, (now) => {
      if (!isListed || !Array.isArray(now)) return former;
      const others = now.filter((item: unknown) => !isOurs?.(item));
      return others.length > 0 || former !== undefined ? others : undefined;
    });
  }, settings);
}

/** True when they have entries that were added here, now or earlier. */
export const isConnected = (settings: Settings, edits: readonly Edit[]): boolean =>
  edits.some(({ path, isListed, isOurs }) => {
    const now = at(settings, path);
    if (!isOurs || now === undefined) return false;
    return isListed ? Array.isArray(now) && now.some(isOurs) : isOurs(now);
  });

const at = (settings: Settings, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isSettings(value) ? value[name] : undefined), settings);

/** An object that is left empty is left out, too. */
function changed(settings: Settings, path: readonly string[], change: (value: unknown) => unknown): Settings {
  const [name = '', ...rest] = path;
  const value = settings[name];
  if (rest.length > 0 && value !== undefined && !isSettings(value)) throw new Error(`${name} is no object`);
  const next = rest.length === 0 ? change(value) : changed((value ?? {}) as Settings, rest, change);
  const isGone =
    next === undefined || (rest.length > 0 && isSettings(next) && Object.keys(next).length === 0);
  if (!isGone) return { ...settings, [name]: next };
  return Object.fromEntries(Object.entries(settings).filter(([each]) => each !== name));
}
