// Converts the file URI of a request to a path.
import { pathFromUri } from '../../host/file-uri.ts';
import { invalidParams } from '../../rpc/rpc-error.ts';

/**
 * Returns the path without a trailing slash, because `link/` would mean the target, which a caller does not
 * expect to remove. Throws for a URI that is not that of a file, or has a query or a fragment.
 */
export function pathOf(uri: string): string {
  // These characters begin a query or a fragment unless they are encoded, so the path would be cut off there.
  if (/[?#]/.test(uri))
    throw invalidParams(`${JSON.stringify(uri)} has a query or a fragment; encode ? and # in a path`);
  try {
    return pathFromUri(uri).replace(/(?<=.)\/+$/, '');
  } catch (error) {
    throw invalidParams((error as Error).message);
  }
}
