// Finds the paths that a file request accesses, so that they can be probed first when a file system may hang.
import { hangingMounts, mountsBelow } from '../../host/hanging.ts';
import { namedIn } from '../../host/sandbox/intent.ts';
import { pathFromUri } from '../../host/file-uri.ts';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { pathOf } from './file-path.ts';
import type { FileOperation } from './operations.ts';

interface FileParams {
  readonly path?: string;
  readonly sourcePath?: string;
  readonly destinationPath?: string;
  readonly recursive?: boolean | null;
  readonly options?: { readonly maxDepth: number };
  readonly sandbox?: SandboxIntent | null;
}

/**
 * Returns the paths that a request names, those of its sandbox, and mounts in the trees that it enters; empty when no
 * mount may hang.
 */
export function placesOf(method: FileOperation, params: object): string[] {
  const mounts = hangingMounts();
  if (mounts.length === 0) return [];
  const { path, sourcePath, destinationPath, recursive, options, sandbox } = params as FileParams;
  const named = [path, sourcePath, destinationPath].flatMap((uri) => (uri === undefined ? [] : pathOf(uri)));
  const [top = ''] = named;
  const isTree =
    method === 'fs/walk' || ((method === 'fs/remove' || method === 'fs/copy') && recursive !== false);
  const depth = (place: string): number => place.split('/').length;
  const mostDepth = options ? depth(top) + options.maxDepth + 1 : Infinity;
  const below = isTree ? mountsBelow(top, mounts).filter((point) => depth(point) <= mostDepth) : [];
  const cwd = sandbox?.cwd ? pathFromUri(sandbox.cwd) : null;
  return [...named, ...below, ...(sandbox ? namedIn(sandbox, { cwd, tmpdir: process.env['TMPDIR'] }) : [])];
}
