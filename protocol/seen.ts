// Rules for the members of objects that observers and guests see: an allow-list; unlisted members are
// removed.

/** Facts about the observer or guest that rules use. */
export interface Eyes {
  readonly label: string;
  masked(text: string): string;
  maskedCommand(argv: readonly string[]): readonly string[];
  /**
   * Returns the last line of the process with this key, masked together with the output before it; without
   * such a process, masks `line`.
   */
  maskedLine(key: string, line: string | null): string | null;
}

/** Returns the visible form of `value`, a member of `whole`. */
type Look<V, W> = (value: V, eyes: Eyes, whole: W) => V;

/**
 * `guest` applies to people with a share link to one process. They are observers too, so both rules apply to
 * them.
 */
export interface Seen<V, W = unknown> {
  readonly observer: Look<V, W>;
  readonly guest: Look<V, W>;
}

/** Rules for the visible form of each member. */
export type Listed<T> = { readonly [M in keyof T]?: Seen<Exclude<T[M], undefined>, T> };

/** A value without members of its own. */
type Plain = string | number | boolean | null | readonly string[];

const same = <V>(value: V): V => value;

export const by = <V, W = unknown>(observer: Look<V, W>, guest: Look<V, W>): Seen<V, W> => ({
  observer,
  guest,
});

/** Shows a value unchanged. Not for objects, whose members must be listed. */
export const shown: {
  readonly observer: <V extends Plain>(value: V) => V;
  readonly guest: <V extends Plain>(value: V) => V;
} = { observer: same, guest: same };

/** Shows a text with its secrets masked. */
export const masked: {
  readonly observer: <V extends string | null>(value: V, eyes: Eyes) => V;
  readonly guest: <V extends string | null>(value: V) => V;
} = {
  observer: (value, eyes) => (value === null ? value : (eyes.masked(value) as typeof value)),
  guest: same,
};

/** Shows guests `value` in place of the actual value. */
export const forGuests = <V>(value: V): Seen<V> => by(same, () => value);

export const orNull = <V, W>({ observer, guest }: Seen<V, W>): Seen<V | null, W> =>
  by(
    (value, eyes, whole) => (value === null ? null : observer(value, eyes, whole)),
    (value, eyes, whole) => (value === null ? null : guest(value, eyes, whole)),
  );

export const each = <V>({ observer, guest }: Seen<V>): Seen<readonly V[]> =>
  by(
    (values, eyes) => values.map((value) => observer(value, eyes, values)),
    (values, eyes) => values.map((value) => guest(value, eyes, values)),
  );

/** Shows only the listed members of an object. */
export function only<T extends object>(listed: Listed<T>): Seen<T> {
  const members = Object.entries(listed) as unknown as (readonly [keyof T, Seen<unknown, T>])[];
  const look =
    (who: keyof Seen<T>) =>
    (whole: T, eyes: Eyes): T => {
      const seen: Partial<Record<keyof T, unknown>> = {};
      for (const [name, rule] of members) {
        const value = whole[name];
        if (value !== undefined) seen[name] = rule[who](value, eyes, whole);
      }
      return seen as T;
    };
  return by(look('observer'), look('guest'));
}
