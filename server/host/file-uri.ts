// Converts between file: URIs on the wire and paths on this host.
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Returns the path of a file: URI, with percent escapes decoded and dot segments resolved; throws an error
 * for people if the URI is not a path on this host.
 */
export function pathFromUri(uri: string): string {
  let path: string;
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:')
      throw new Error(`the URI scheme must be "file", not "${url.protocol.slice(0, -1)}"`);
    path = fileURLToPath(url);
  } catch (cause) {
    throw new Error(`${JSON.stringify(uri)} is not a file URI on this host: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (path.includes('\0')) throw new Error(`${JSON.stringify(uri)} contains a NUL byte`);
  return path;
}

export const uriFromPath = (path: string): string => pathToFileURL(path).href;
