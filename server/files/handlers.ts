// fs/*: what was asked of files → done, one after another for each connection, within the sandbox that applies.
import type { Requests } from '../protocol/methods.ts';
import type { SandboxIntent } from '../protocol/sandbox.ts';
import { ownText } from '../protocol/own-copy.ts';
import { invalidRequest } from '../rpc/rpc-error.ts';
import { sandboxFor } from '../session/start.ts';
import type { User } from '../process/user.ts';
import type { Method, Methods, Peer } from '../session/peer.ts';
import type { Sandbox, Sandboxes } from '../sandbox/sandboxes.ts';
import { Enclosed } from './enclosed.ts';
import { fileError } from './file-error.ts';
import { pathOf } from './file-path.ts';
import { pathFromUri } from '../process/file-uri.ts';
import { Handles } from './handles.ts';
import { MissingWatch, type MissingWatchLimits, type Watched } from './missing-watch.ts';
import {
  fileOperations,
  type FileOperation,
  type FileOperations,
  type OperationsLimits,
} from './operations.ts';
import { PrivatePlaces } from './private-places.ts';

export type FilesLimits = OperationsLimits & MissingWatchLimits & { readonly socketHighWaterBytes: number };

type FileMethods = { readonly [M in Extract<keyof Requests, `fs/${string}`>]: Methods[M] };

/** `user`: who does it all; null: the gateway itself, but for what has a sandbox. */
export function fileMethods(limits: FilesLimits, sandboxes: Sandboxes, user: User | null): FileMethods {
  const desks = new WeakMap<Peer, FileDesk>();
  const deskOf = (peer: Peer): FileDesk => {
    const desk = desks.get(peer) ?? new FileDesk(peer, { limits, user, own: sandboxes.own });
    desks.set(peer, desk);
    return desk;
  };
  const inTurn =
    <M extends FileOperation>(method: M): Method<M> =>
    (params, peer) => {
      const desk = deskOf(peer);
      return desk.next(() => desk.does(method, params, () => sandboxOf(params, sandboxes)));
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
      // The gateway would look, and may see more than the user.
      if (user) throw invalidRequest(`fs/watchMissing: not while files are worked on as ${user.name}`);
      const desk = deskOf(peer);
      return desk.next(async () => ({
        watching: await desk.watch(watchId, {
          missing: missing.map((path) => ownText(pathOf(path))),
          present: typeof present === 'string' ? ownText(pathOf(present)) : null,
        }),
      }));
    },
  };
}

/** What one connection has to do with files. */
class FileDesk {
  readonly #handles: Handles;
  readonly #operations: FileOperations;
  readonly #enclosed: Enclosed;
  readonly #own: PrivatePlaces;
  readonly #user: User | null;
  readonly #peer: Peer;
  readonly #limits: FilesLimits;
  readonly #watch: MissingWatch;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    peer: Peer,
    { limits, user, own }: { limits: FilesLimits; user: User | null; own: Sandboxes['own'] },
  ) {
    this.#peer = peer;
    this.#user = user;
    this.#limits = limits;
    this.#handles = new Handles(limits);
    this.#own = new PrivatePlaces(own);
    this.#operations = fileOperations(limits, this.#handles, this.#own);
    this.#enclosed = new Enclosed(limits, user);
    this.#watch = new MissingWatch(limits);
    const close = (): void => {
      this.#watch.stop();
      this.#enclosed.close();
      // Whatever it was writing is lost with its connection; there is nobody to tell.
      this.#handles.closeAll().catch(() => undefined);
    };
    peer.connection.onEnding(close);
  }

  next<T>(work: () => Promise<T>): Promise<T> {
    const { connection } = this.#peer;
    const result = this.#turn.then(async () => {
      // Replies may be large: the next one is made when this one has been taken.
      await connection.taken(this.#limits.socketHighWaterBytes);
      if (connection.isEnding) throw invalidRequest('the connection is gone');
      return work();
    });
    const told = result.catch((error: unknown) => {
      throw fileError(error);
    });
    this.#turn = told.catch(() => undefined);
    return told;
  }

  /** Within the sandbox that applies; what works on an open file, where that was opened. */
  async does<M extends FileOperation>(
    method: M,
    params: Requests[M]['params'],
    sandboxOf: () => Sandbox | null,
  ): Promise<Requests[M]['result']> {
    const handleId = 'handleId' in params ? params.handleId : null;
    // What a helper answers is what the same operation answers here.
    if (method !== 'fs/open' && handleId !== null) {
      if (!this.#enclosed.has(handleId)) return this.#operations[method](params);
      return this.#enclosed.onHandle(method, handleId, params) as Promise<Requests[M]['result']>;
    }
    if (handleId !== null) this.#checkHandle(handleId);
    const sandbox = sandboxOf();
    if (!sandbox && !this.#user) return this.#operations[method](params);
    return (
      handleId === null
        ? this.#enclosed.call(method, params, sandbox)
        : this.#enclosed.open(handleId, params, sandbox)
    ) as Promise<Requests[M]['result']>;
  }

  async watch(watchId: number, watched: Watched): Promise<boolean> {
    const { connection } = this.#peer;
    const { missing, present } = watched;
    const paths = present === null ? missing : [...missing, present];
    await Promise.all(paths.map((path) => this.#own.refuse(path)));
    const isWatching = await this.#watch.watch(watchId, watched, () =>
      connection.notify('fs/missingChanged', { watchId }),
    );
    if (connection.isEnding) this.#watch.stop();
    return isWatching;
  }

  /** One set of names for both kinds, and one limit. */
  #checkHandle(id: string): void {
    if (this.#enclosed.has(id) || this.#handles.has(id)) {
      throw invalidRequest(`file handle ${JSON.stringify(id)} is in use`);
    }
    this.#handles.checkRoom(this.#enclosed.openFiles);
  }
}

function sandboxOf(params: object, sandboxes: Sandboxes): Sandbox | null {
  const intent = 'sandbox' in params ? ((params.sandbox ?? null) as SandboxIntent | null) : null;
  return sandboxFor(sandboxes, intent, {
    cwd: intent?.cwd ? pathFromUri(intent.cwd) : null,
    tmpdir: process.env['TMPDIR'],
  });
}
