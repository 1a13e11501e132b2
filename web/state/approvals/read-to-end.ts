// Tracks whether the end of a request's command has been in view, in each place that shows the request.
import { keyOf, type Meant } from './request-view.ts';

const known = new Map<string, boolean>();

/** Records whether the end has been in view. Returns a function that discards the record. */
export function noteRead(meant: Meant, isRead: boolean): () => void {
  known.set(keyOf(meant), isRead);
  return () => known.delete(keyOf(meant));
}

/** Returns whether the end has been in view; null where the request is not shown. */
export const isReadToEnd = (meant: Meant): boolean | null => known.get(keyOf(meant)) ?? null;
