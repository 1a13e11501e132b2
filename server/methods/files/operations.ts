// Implementations of the file methods, which run in the gateway or in a file helper.
import type { Requests } from '../../../protocol/methods.ts';
import { uriFromPath } from '../../host/file-uri.ts';
import { invalidRequest } from '../../rpc/rpc-error.ts';
import { makeDirectory, remove, writeWhole } from './change.ts';
import { copy } from './copy.ts';
import { pathOf } from './file-path.ts';
import type { Handles, HandlesLimits } from './handles.ts';
import type { Privacy } from './private-places.ts';
import { refuseProc } from './process-files.ts';
import { canonical, list, metadata, readWhole, type RefuseOpened } from './read.ts';
import { walk, type WalkLimits } from './walk.ts';

export type OperationsLimits = HandlesLimits & WalkLimits & { readonly fileReadBytes: number };

/**
 * Methods that can run within a sandbox; fs/watchMissing is not one of them, since only the gateway itself
 * watches files.
 */
export type FileOperation = Exclude<Extract<keyof Requests, `fs/${string}`>, 'fs/watchMissing'>;

export type FileOperations = {
  readonly [M in FileOperation]: (params: Requests[M]['params']) => Promise<Requests[M]['result']>;
};

/** Returns a function for one request, which resolves to false for a path whose file system does not answer. */
export type Answering = () => (path: string, isTree?: boolean) => Promise<boolean>;

/** Conditions of the running request or of its connection. */
export interface Circumstances {
  /** Returns true when the result is no longer awaited, which stops a copy. */
  readonly isOver: () => boolean;
  readonly answering: Answering;
}

export function fileOperations(
  limits: OperationsLimits,
  handles: Handles,
  own: Privacy,
  { isOver, answering }: Circumstances,
): FileOperations {
  /** Returns the path of an operation on one entry, after checking it. */
  const at = async (uri: string): Promise<string> => {
    const path = pathOf(uri);
    await own.refuse(path);
    return path;
  };
  /** Returns the path of an operation on a whole tree, after checking it. */
  const from = async (uri: string): Promise<string> => {
    const path = pathOf(uri);
    await own.refuseTree(path);
    return path;
  };

  const refuseOpened: RefuseOpened = (path, handle) => own.refuseOpened(path, handle);

  return {
    'fs/readFile': async ({ path }) => {
      const bytes = await readWhole(await at(path), limits.fileReadBytes, refuseOpened);
      return { dataBase64: bytes.toString('base64') };
    },
    'fs/writeFile': async ({ path, dataBase64 }) => {
      await writeWhole(await at(path), bytesOf(dataBase64));
      return {};
    },
    'fs/createDirectory': async ({ path, recursive }) => {
      await makeDirectory(await at(path), recursive ?? true);
      return {};
    },
    'fs/getMetadata': async ({ path }) => metadata(await at(path)),
    'fs/readDirectory': async ({ path }) => ({
      entries: await list(await at(path), limits.listingChars, { refuseOpened, doesAnswer: answering() }),
    }),
    'fs/canonicalize': async ({ path }) => ({ path: uriFromPath(await canonical(await at(path))) }),
    'fs/walk': async ({ path, options }) =>
      walk(await at(path), options, { limits, closed: await own.stat(), doesAnswer: answering() }),
    'fs/remove': async ({ path, recursive, force }) => {
      await remove(await from(path), { recursive: recursive ?? true, force: force ?? true });
      return {};
    },
    'fs/copy': async ({ sourcePath, destinationPath, recursive }) => {
      const doesAnswer = answering();
      await copy(await from(sourcePath), pathOf(destinationPath), {
        recursive,
        isOver,
        refuse: async (destination) => {
          if (!(await doesAnswer(destination)))
            throw invalidRequest(`${destination} does not answer, so nothing was copied there`);
          await own.refuse(destination);
        },
        refuseSource: async (source, found) => {
          if (found.isDirectory()) await refuseProc(source);
          await own.refuseHardLink(source, found);
        },
        refuseOpened,
      });
      return {};
    },
    'fs/open': async ({ handleId, path, mode }) => {
      await handles.open(handleId, await at(path), { mode: mode ?? 'read', refuseOpened });
      return { handleId };
    },
    'fs/readBlock': async ({ handleId, offset, len }) => {
      const { bytes, eof } = await handles.read(handleId, offset, len);
      return { chunk: bytes.toString('base64'), eof };
    },
    'fs/writeBlock': async ({ handleId, offset, chunk }) => {
      await handles.write(handleId, offset, Buffer.from(chunk, 'base64'));
      return {};
    },
    'fs/close': async ({ handleId }) => {
      await handles.close(handleId);
      return {};
    },
  };
}

function bytesOf(base64: string): Buffer {
  if (base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return Buffer.from(base64, 'base64');
  throw invalidRequest('fs/writeFile: params.dataBase64 must be base64 with padding');
}
