// fs/*: params and results of the reference's file methods.
import { z } from 'zod';
import { sandboxIntent } from './sandbox.ts';
import { base64, count, fileUri } from './scalars.ts';

const flag = z.boolean().nullish();
const sandbox = sandboxIntent.nullish();
const onPath = { path: fileUri, sandbox };

export const pathParams = z.object(onPath);
export const writeFileParams = z.object({ ...onPath, dataBase64: z.string() });
export const createDirectoryParams = z.object({ ...onPath, recursive: flag });
export const removeParams = z.object({ ...onPath, recursive: flag, force: flag });
export const copyParams = z.object({
  sourcePath: fileUri,
  destinationPath: fileUri,
  recursive: z.boolean(),
  sandbox,
});
const walkOptions = z.object({
  /** 0 lists only the folder's direct entries. */
  maxDepth: count,
  maxDirectories: count,
  maxEntries: count,
  followDirectorySymlinks: z.boolean(),
  /** True to list hidden folders without descending into them. */
  pruneHiddenDirectories: flag,
});
export type WalkOptions = z.infer<typeof walkOptions>;
export const walkParams = z.object({ ...onPath, options: walkOptions });
export const openParams = z.object({
  ...onPath,
  handleId: z.string(),
  mode: z.enum(['read', 'replace']).nullish(),
});
export const readBlockParams = z.object({ handleId: z.string(), offset: count, len: count });
export const writeBlockParams = z.object({ handleId: z.string(), offset: count, chunk: base64 });
export const closeParams = z.object({ handleId: z.string() });
export const watchMissingParams = z.object({
  watchId: count,
  missing: z.array(fileUri),
  present: fileUri.nullish(),
});

export interface FileMetadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly size: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface DirectoryEntry {
  readonly fileName: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export interface WalkedEntry {
  /** File URI. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

export interface WalkError {
  readonly path: string;
  readonly message: string;
}

export interface WalkResult {
  readonly entries: readonly WalkedEntry[];
  readonly errors: readonly WalkError[];
  readonly truncated: boolean;
}
