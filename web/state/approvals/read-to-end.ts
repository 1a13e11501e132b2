// Whether the end of a request's command has been in view, in each place where the request stands.
import type { Meant } from './request-view.ts';

const known = new Map<string, boolean>();

const keyOf = ({ id, place }: Meant): string => `${place} ${id}`;

/** Notes whether the end has been in view. Returns a function that forgets it. */
export function noteRead(meant: Meant, isRead: boolean): () => void {
  known.set(keyOf(meant), isRead);
  return () => known.delete(keyOf(meant));
}

/** True when the end has been in view; null where the request does not stand. */
export const isReadToEnd = (meant: Meant): boolean | null => known.get(keyOf(meant)) ?? null;
