// Handlers of fs/*, which run one after another for each connection, within the sandbox that applies.
import type { JsonText } from '../../../protocol/json-text.ts';
import type { Requests } from '../../../protocol/methods.ts';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { ownText } from '../../../text/own-copy.ts';
import { internal, invalidRequest } from '../../rpc/rpc-error.ts';
import { answering, answers, whenAnswered } from '../../sessions/answers.ts';
import { sandboxFor } from '../../sessions/start.ts';
import { hangingMounts } from '../../host/hanging.ts';
import type { User } from '../../host/user.ts';
import type { Method, Methods, Peer } from '../../sessions/peer.ts';
import type { Sandboxes } from '../../host/sandbox/sandboxes.ts';
import { Enclosed, type SandboxOf } from './enclosed.ts';
import { fileError } from './file-error.ts';
import { pathOf } from './file-path.ts';
import { pathFromUri } from '../../host/file-uri.ts';
import { Handles } from './handles.ts';
import type { Budget } from '../../limits/budget.ts';
import { Turns } from '../../limits/turns.ts';
import { MissingWatch, pathsOf, type MissingWatchLimits, type Watched } from './missing-watch.ts';
import {
  fileOperations,
  type FileOperation,
  type FileOperations,
  type OperationsLimits,
} from './operations.ts';
import { PrivatePlaces } from './private-places.ts';
import { LargeReads } from './large-reads.ts';
import { placesOf } from './named-places.ts';

export type FilesLimits = OperationsLimits & MissingWatchLimits & { readonly socketHighWaterBytes: number };

type FileMethods = { readonly [M in Extract<keyof Requests, `fs/${string}`>]: Methods[M] };

export interface FilesParts {
  readonly sandboxes: Sandboxes;
  /** User as whom files are accessed; null means the gateway's own user. A sandbox restricts access further. */
  readonly user: User | null;
  readonly descriptors: Budget;
  /** Budget for operations in progress. */
  readonly turns: Budget;
  /** Budget for open files in helpers, since each may need a process of its own. */
  readonly helpers: Budget;
}

/** Descriptors that the gateway uses for a helper with an open file, and for a file that it has opened itself. */
const HELPER_DESCRIPTORS = 4;
const FILE_DESCRIPTORS = 1;

export function fileMethods(limits: FilesLimits, parts: FilesParts): FileMethods {
  const { user } = parts;
  const turns = new Turns(parts.turns);
  const largeReads = new LargeReads();
  const own = new PrivatePlaces(() => parts.sandboxes.own);
  const desks = new WeakMap<Peer, FileDesk>();
  const deskOf = (peer: Peer): FileDesk => {
    const desk = desks.get(peer) ?? new FileDesk(peer, limits, parts, { turns, largeReads, own });
    desks.set(peer, desk);
    return desk;
  };
  const inTurn =
    <M extends FileOperation>(method: M): Method<M> =>
    (params, peer) => {
      const desk = deskOf(peer);
      return desk.next(
        () => desk.placesOf(method, params),
        () => desk.does(method, params, () => sandboxOf(params, parts)),
      );
    };

  return {
    'fs/readFile': inTurn('fs/readFile'),
    'fs/writeFile': inTurn('fs/writeFile'),
    'fs/createDirectory': inTurn('fs/createDirectory'),
    'fs/getMetadata': inTurn('fs/getMetadata'),
    'fs/readDirectory': inTurn('fs/readDirectory'),
    'fs/canonicalize': inTurn('fs/canonicalize'),
    'fs/walk': inTurn('fs/walk'),
    'fs/remove': inTurn('fs/remove'),
    'fs/copy': inTurn('fs/copy'),
    'fs/open': inTurn('fs/open'),
    'fs/readBlock': inTurn('fs/readBlock'),
    'fs/writeBlock': inTurn('fs/writeBlock'),
    'fs/close': inTurn('fs/close'),
    'fs/watchMissing': ({ watchId, missing, present }, peer) => {
      // The gateway itself would watch the paths, and it may see more than the user.
      if (user)
        throw invalidRequest(`fs/watchMissing is not available, because files are accessed as ${user.name}`);
      const desk = deskOf(peer);
      const watched = (): Watched => ({
        missing: missing.map((path) => ownText(pathOf(path))),
        present: typeof present === 'string' ? ownText(pathOf(present)) : null,
      });
      return desk.next(
        () => pathsOf(watched()),
        async () => ({ watching: await desk.watch(watchId, watched()) }),
      );
    },
  };
}

interface Shared {
  readonly turns: Turns;
  readonly largeReads: LargeReads;
  readonly own: PrivatePlaces;
}

/** File operations of one connection. */
class FileDesk {
  readonly #handles: Handles;
  readonly #operations: FileOperations;
  readonly #enclosed: Enclosed;
  readonly #own: PrivatePlaces;
  readonly #user: User | null;
  readonly #peer: Peer;
  readonly #limits: FilesLimits;
  readonly #watch: MissingWatch;
  readonly #parts: FilesParts;
  readonly #turns: Turns;
  readonly #largeReads: LargeReads;
  /** Functions that release the reserved descriptors, by handle. */
  readonly #givesBack = new Map<string, () => void>();
  /** Paths of open files, by handle. */
  readonly #opened = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(peer: Peer, limits: FilesLimits, parts: FilesParts, { turns, largeReads, own }: Shared) {
    const { user } = parts;
    this.#peer = peer;
    this.#user = user;
    this.#limits = limits;
    this.#parts = parts;
    this.#turns = turns;
    this.#largeReads = largeReads;
    this.#handles = new Handles(limits);
    this.#own = own;
    this.#operations = fileOperations(limits, this.#handles, own, {
      isOver: () => peer.connection.isEnding,
      answering: () => answering(peer.identity),
    });
    this.#enclosed = new Enclosed(limits, user, own);
    this.#watch = new MissingWatch(limits, (paths) => answers(paths, peer.identity));
    const close = (): void => {
      this.#watch.stop();
      this.#enclosed.close();
      const opened = new Map(this.#opened);
      const doesAnswer = (id: string): Promise<boolean> => answering(peer.identity)(opened.get(id) ?? '/');
      // The connection has closed, so errors of unfinished writes cannot be reported.
      this.#handles.closeAll(doesAnswer).catch(() => undefined);
      for (const handleId of this.#givesBack.keys()) this.#giveBack(handleId);
    };
    peer.connection.onEnding(close);
  }

  /** Runs `work` after earlier requests of the connection, once all paths that may hang have answered. */
  next<T>(places: () => readonly string[], work: () => Promise<T>): Promise<T> {
    const { connection, identity } = this.#peer;
    const result = this.#turn.then(async () => {
      // Replies may be large, so the next one is created only when few bytes of the previous ones are unsent.
      await connection.taken(this.#limits.socketHighWaterBytes);
      await answers(places(), identity);
      return this.#turns.inTurn(identity, async () => {
        if (connection.isEnding) throw invalidRequest('the connection was closed');
        return work();
      });
    });
    const reported = result.catch((error: unknown) => {
      throw fileError(error);
    });
    this.#turn = reported.catch(() => undefined);
    return reported;
  }

  /** Returns the paths that an operation accesses; for a handle, the path of its open file. */
  placesOf(method: FileOperation, params: object): readonly string[] {
    const path = 'handleId' in params ? this.#opened.get(params.handleId as string) : undefined;
    return path === undefined ? placesOf(method, params) : [path];
  }

  /** Runs an operation within the sandbox that applies, or where its file was opened. */
  async does<M extends FileOperation>(
    method: M,
    params: Requests[M]['params'],
    sandboxOf: SandboxOf,
  ): Promise<Requests[M]['result'] | JsonText> {
    const handleId = 'handleId' in params ? params.handleId : null;
    // A helper's result has the same type as that of the local operation.
    if (method !== 'fs/open' && handleId !== null) {
      try {
        if (!this.#enclosed.has(handleId)) return await this.#operations[method](params);
        return (await this.#enclosed.onHandle(method, handleId, params)) as Requests[M]['result'];
      } finally {
        if (method === 'fs/close') this.#giveBack(handleId);
      }
    }
    if (handleId !== null) this.#checkHandle(handleId);
    const inTime = (): ReturnType<SandboxOf> => whenAnswered(sandboxOf, this.#peer.identity, hangingMounts());
    const isHere = !this.#user && !(await inTime());
    if (handleId !== null) this.#book(handleId, isHere, pathOf((params as { readonly path: string }).path));
    try {
      if (isHere && method === 'fs/readFile')
        return await this.#readHere(params as { readonly path: string });
      if (isHere) return await this.#operations[method](params);
      const inHelper = (): Promise<unknown> =>
        handleId === null
          ? this.#enclosed.call(method, params, inTime)
          : this.#enclosed.open(handleId, params, inTime);
      // Only the helper can see how large the file is, so every read counts as a large one.
      const result =
        method === 'fs/readFile' ? this.#largeReads.inTurn(this.#peer.identity, inHelper) : inHelper();
      return (await result) as Requests[M]['result'];
    } catch (error) {
      if (handleId !== null) this.#giveBack(handleId);
      throw error;
    }
  }

  async #readHere({ path: uri }: { readonly path: string }): Promise<JsonText> {
    const path = pathOf(uri);
    await this.#own.refuse(path);
    return this.#largeReads.read(this.#peer.identity, {
      path,
      limitBytes: this.#limits.fileReadBytes,
      refuseOpened: (opened, handle) => this.#own.refuseOpened(opened, handle),
    });
  }

  /** Reserves descriptors, and a helper if one is needed, for a file to be opened; throws when too few are left. */
  #book(handleId: string, isHere: boolean, path: string): void {
    const { identity } = this.#peer;
    const { descriptors, helpers } = this.#parts;
    const count = isHere ? FILE_DESCRIPTORS : HELPER_DESCRIPTORS;
    const why = descriptors.whyNot(identity, count) ?? (isHere ? null : helpers.whyNot(identity));
    if (why !== null) throw internal(`fs/open: ${why}`);
    const taken = [descriptors.take(identity, count), ...(isHere ? [] : [helpers.take(identity)])];
    this.#opened.set(handleId, path);
    this.#givesBack.set(handleId, () => {
      this.#opened.delete(handleId);
      for (const giveBack of taken) giveBack();
    });
  }

  #giveBack(handleId: string): void {
    this.#givesBack.get(handleId)?.();
    this.#givesBack.delete(handleId);
  }

  async watch(watchId: number, watched: Watched): Promise<boolean> {
    const { connection } = this.#peer;
    await Promise.all(pathsOf(watched).map((path) => this.#own.refuse(path)));
    const isWatching = await this.#watch.watch(watchId, watched, () =>
      connection.notify('fs/missingChanged', { watchId }),
    );
    if (connection.isEnding) this.#watch.stop();
    return isWatching;
  }

  /** Throws for a handle that is in use, and when this connection has too many files open. */
  #checkHandle(id: string): void {
    if (this.#enclosed.has(id) || this.#handles.has(id)) {
      throw invalidRequest(`file handle ${JSON.stringify(id)} is in use; close it, or choose another`);
    }
    this.#handles.checkRoom(this.#enclosed.openFiles);
  }
}

function sandboxOf(params: object, { sandboxes, user }: FilesParts): ReturnType<SandboxOf> {
  const intent = 'sandbox' in params ? ((params.sandbox ?? null) as SandboxIntent | null) : null;
  return sandboxFor(sandboxes, intent, {
    cwd: intent?.cwd ? pathFromUri(intent.cwd) : null,
    tmpdir: user ? undefined : process.env['TMPDIR'],
  });
}
