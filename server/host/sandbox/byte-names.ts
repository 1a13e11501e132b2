// Handles file names that are not UTF-8, which Linux allows. No JavaScript string represents such a name exactly, so
// Node cannot pass it to a program. The mount table is still read with these names, so that a sandbox is refused when
// it could not hide such a path.
import { isUtf8 } from 'node:buffer';
import { realpathSync } from 'node:fs';
import { beforeLook } from '../hanging.ts';
import { SandboxRefusal } from './refusal.ts';

/**
 * Decodes a path whose bytes were read as latin1. In a name that is not UTF-8, each byte beyond ASCII becomes a lone
 * surrogate, so that the name equals no other.
 */
export const decodedPath = (latin1: string): string =>
  latin1
    .split('/')
    .map((name) => {
      const bytes = Buffer.from(name, 'latin1');
      if (isUtf8(bytes)) return bytes.toString();
      return name.replace(/[\x80-\xff]/g, (char) => String.fromCharCode(0xdc00 + char.charCodeAt(0)));
    })
    .join('/');

const INEXACT = /[\udc80-\udcff]/u;

export const isExact = (path: string): boolean => !INEXACT.test(path);

/** Returns a decoded path as Node returns it, with U+FFFD in place of what is not UTF-8. */
export const asNodeShows = (path: string): string =>
  path.replace(/[^/]+/g, (name) => (isExact(name) ? name : Buffer.from(name, 'latin1').toString()));

/** Returns a decoded path that can be passed to a program, or throws SandboxRefusal. */
export function exactPath(path: string): string {
  if (isExact(path)) return path;
  throw new SandboxRefusal(
    `sandbox: the mounted path ${asNodeShows(path)} is not UTF-8, so no sandbox can include or hide it, and ` +
      'nothing was done; unmount it, or mount it at another path',
  );
}

/** Returns the real path; throws when it is missing or not UTF-8. */
export function exactRealPath(path: string): string {
  beforeLook(path);
  const bytes = realpathSync.native(path, 'buffer');
  if (isUtf8(bytes)) return bytes.toString();
  throw new SandboxRefusal(
    `sandbox: ${path} leads to ${bytes.toString()}, whose name is not UTF-8, so no sandbox can include or hide it, ` +
      'and nothing was done; move it to another folder',
  );
}
