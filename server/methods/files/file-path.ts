// The one way from a request's file URI to a path.
import { pathFromUri } from '../../host/file-uri.ts';
import { invalidParams } from '../../rpc/rpc-error.ts';

/**
 * Returns the path without a slash at its end: `link/` would be the link's target, and removing that would be a
 * surprise.
 */
export function pathOf(uri: string): string {
  // A name with these characters has them encoded; otherwise the rest of it would be cut off, and another file meant.
  if (/[?#]/.test(uri)) throw invalidParams(`${JSON.stringify(uri)} has a query or a fragment`);
  try {
    return pathFromUri(uri).replace(/(?<=.)\/+$/, '');
  } catch (error) {
    throw invalidParams((error as Error).message);
  }
}
