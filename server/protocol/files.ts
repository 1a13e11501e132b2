// fs/*: the params of the reference's file methods.
import { z } from 'zod';
import { base64, count, fileUri, sandbox } from './scalars.ts';

const flag = z.boolean().nullish();
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
export const walkParams = z.object({
  ...onPath,
  options: z.object({
    maxDepth: count,
    maxDirectories: count,
    maxEntries: count,
    followDirectorySymlinks: z.boolean(),
    pruneHiddenDirectories: flag,
  }),
});
export const openParams = z.object({
  ...onPath,
  handleId: z.string(),
  mode: z.enum(['read', 'replace']).nullish(),
});
export const readBlockParams = z.object({ handleId: z.string(), offset: count, len: count });
export const writeBlockParams = z.object({ handleId: z.string(), offset: count, chunk: base64 });
export const closeParams = z.object({ handleId: z.string() });
export const watchMissingParams = z.object({
  watchId: z.number().int(),
  missing: z.array(fileUri),
  present: z.array(fileUri).nullish(),
});
