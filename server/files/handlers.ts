// fs/*: what was asked of files → done, one after another for each connection.
import type { Requests } from '../protocol/methods.ts';
import { uriFromPath } from '../process/file-uri.ts';
import { internal, invalidRequest } from '../rpc/rpc-error.ts';
import type { Method, Methods, Peer } from '../session/peer.ts';
import { makeDirectory, remove, writeWhole } from './change.ts';
import { copy } from './copy.ts';
import { fileError } from './file-error.ts';
import { pathOf } from './file-path.ts';
import { Handles, type HandlesLimits } from './handles.ts';
import { MissingWatch, type MissingWatchLimits, type Watched } from './missing-watch.ts';
import { canonical, list, metadata, readWhole } from './read.ts';
import { walk, type WalkLimits } from './walk.ts';

export type FilesLimits = HandlesLimits &
  MissingWatchLimits &
  WalkLimits & { readonly fileReadBytes: number };

type FileMethod = Extract<keyof Requests, `fs/${string}`>;
type FileMethods = { readonly [M in FileMethod]: Methods[M] };

export function fileMethods(limits: FilesLimits): FileMethods {
  const desks = new WeakMap<Peer, FileDesk>();
  const deskOf = (peer: Peer): FileDesk => {
    const desk = desks.get(peer) ?? new FileDesk(peer, limits);
    desks.set(peer, desk);
    return desk;
  };
  /** Takes the connection's turn. */
  const inTurn =
    <M extends FileMethod>(
      work: (params: Requests[M]['params'], desk: FileDesk) => Promise<Requests[M]['result']>,
    ) =>
    (params: Requests[M]['params'], peer: Peer): ReturnType<Method<M>> => {
      refuseSandbox(params);
      const desk = deskOf(peer);
      return desk.next(() => work(params, desk));
    };

  return {
    'fs/readFile': inTurn<'fs/readFile'>(async ({ path }) => {
      const bytes = await readWhole(pathOf(path), limits.fileReadBytes);
      return { dataBase64: bytes.toString('base64') };
    }),
    'fs/writeFile': inTurn<'fs/writeFile'>(async ({ path, dataBase64 }) => {
      await writeWhole(pathOf(path), bytesOf(dataBase64));
      return {};
    }),
    'fs/createDirectory': inTurn<'fs/createDirectory'>(async ({ path, recursive }) => {
      await makeDirectory(pathOf(path), recursive ?? true);
      return {};
    }),
    'fs/getMetadata': inTurn<'fs/getMetadata'>(({ path }) => metadata(pathOf(path))),
    'fs/readDirectory': inTurn<'fs/readDirectory'>(async ({ path }) => ({
      entries: await list(pathOf(path)),
    })),
    'fs/canonicalize': inTurn<'fs/canonicalize'>(async ({ path }) => ({
      path: uriFromPath(await canonical(pathOf(path))),
    })),
    'fs/walk': inTurn<'fs/walk'>(({ path, options }) => walk(pathOf(path), options, limits)),
    'fs/remove': inTurn<'fs/remove'>(async ({ path, recursive, force }) => {
      await remove(pathOf(path), { recursive: recursive ?? true, force: force ?? true });
      return {};
    }),
    'fs/copy': inTurn<'fs/copy'>(async ({ sourcePath, destinationPath, recursive }) => {
      await copy(pathOf(sourcePath), pathOf(destinationPath), recursive);
      return {};
    }),
    'fs/open': inTurn<'fs/open'>(async ({ handleId, path, mode }, { handles }) => {
      await handles.open(handleId, pathOf(path), mode ?? 'read');
      return { handleId };
    }),
    'fs/readBlock': inTurn<'fs/readBlock'>(async ({ handleId, offset, len }, { handles }) => {
      const { bytes, eof } = await handles.read(handleId, offset, len);
      return { chunk: bytes.toString('base64'), eof };
    }),
    'fs/writeBlock': inTurn<'fs/writeBlock'>(async ({ handleId, offset, chunk }, { handles }) => {
      await handles.write(handleId, offset, Buffer.from(chunk, 'base64'));
      return {};
    }),
    'fs/close': inTurn<'fs/close'>(async ({ handleId }, { handles }) => {
      await handles.close(handleId);
      return {};
    }),
    'fs/watchMissing': inTurn<'fs/watchMissing'>(async ({ watchId, missing, present }, desk) => ({
      watching: await desk.watch(watchId, {
        missing: missing.map(pathOf),
        present: typeof present === 'string' ? pathOf(present) : null,
      }),
    })),
  };
}

/** What one connection has to do with files. */
class FileDesk {
  readonly handles: Handles;
  readonly #peer: Peer;
  readonly #watch: MissingWatch;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(peer: Peer, limits: FilesLimits) {
    this.#peer = peer;
    this.handles = new Handles(limits);
    this.#watch = new MissingWatch(limits);
    const close = (): void => {
      this.#watch.stop();
      // Whatever it was writing is lost with its connection; there is nobody to tell.
      this.handles.closeAll().catch(() => undefined);
    };
    peer.connection.closing.addEventListener('abort', close, { once: true });
  }

  next<T>(work: () => Promise<T>): Promise<T> {
    const { closing } = this.#peer.connection;
    const result = this.#turn.then(() => {
      if (closing.aborted) throw invalidRequest('the connection is gone');
      return work();
    });
    const told = result.catch((error: unknown) => {
      throw fileError(error);
    });
    this.#turn = told.catch(() => undefined);
    return told;
  }

  async watch(watchId: number, watched: Watched): Promise<boolean> {
    const { connection } = this.#peer;
    const isWatching = await this.#watch.watch(watchId, watched, () =>
      connection.notify('fs/missingChanged', { watchId }),
    );
    if (connection.closing.aborted) this.#watch.stop();
    return isWatching;
  }
}

/** A sandbox that is asked for and not enforced would be a lie. */
function refuseSandbox(params: object): void {
  if (!('sandbox' in params) || params.sandbox === null || params.sandbox === undefined) return;
  throw internal('params.sandbox: this gateway cannot enforce a sandbox on files yet, so nothing was done');
}

function bytesOf(base64: string): Buffer {
  if (base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return Buffer.from(base64, 'base64');
  throw invalidRequest('fs/writeFile: params.dataBase64 must be base64 with padding');
}
