// Stores the open files of one connection under the ids that the client chose, and closes them with the connection.
import type { FileHandle } from 'node:fs/promises';
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { numberText } from '../../../text/amounts.ts';
import { invalidRequest, RpcError } from '../../rpc/rpc-error.ts';
import { notAFile } from './file-error.ts';
import { openToReplace } from './put.ts';
import { openFile, type RefuseOpened } from './read.ts';

export interface HandlesLimits {
  readonly fileHandles: number;
  readonly fileBlockBytes: number;
  readonly fileHandleIdBytes: number;
}

/**
 * Open files of ended connections. They stay referenced here, because Node would close them itself otherwise, and wait
 * for their file systems.
 */
const left = new Map<FileHandle, () => Promise<boolean>>();

export class Handles {
  readonly #limits: HandlesLimits;
  readonly #open = new Map<string, FileHandle>();
  #isClosed = false;

  constructor(limits: HandlesLimits) {
    this.#limits = limits;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Throws when the limit on open files is reached; `others` is the number of files that helpers have open. */
  checkRoom(others: number): void {
    const { fileHandles } = this.#limits;
    if (this.#open.size + others < fileHandles) return;
    throw invalidRequest(
      `${fileHandles} files are open on this connection, which is the limit; close one first`,
    );
  }

  /** Opens a file; `replace` creates or empties it. Throws for an id that is used or too long, and at the limit. */
  async open(
    id: string,
    path: string,
    { mode, refuseOpened }: { readonly mode: 'read' | 'replace'; readonly refuseOpened: RefuseOpened },
  ): Promise<void> {
    const { fileHandleIdBytes } = this.#limits;
    if (Buffer.byteLength(id) > fileHandleIdBytes) {
      throw invalidRequest(`params.handleId has more than ${fileHandleIdBytes} bytes`);
    }
    if (this.#open.has(id))
      throw invalidRequest(`file handle ${JSON.stringify(id)} is in use; close it, or choose another`);
    this.checkRoom(0);
    const handle = mode === 'read' ? await openFile(path, refuseOpened) : await openNew(path);
    if (this.#isClosed) await handle.close();
    else this.#open.set(id, handle);
  }

  /** Reads a block; a short block is the last one. */
  async read(id: string, offset: number, length: number): Promise<{ bytes: Buffer; eof: boolean }> {
    this.#checkLength(length);
    const handle = this.#handle(id);
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: buffer.subarray(0, filled), eof: filled < length };
  }

  async write(id: string, offset: number, bytes: Buffer): Promise<void> {
    this.#checkLength(bytes.length);
    const handle = this.#handle(id);
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written);
      written += bytesWritten;
    }
  }

  async close(id: string): Promise<void> {
    const handle = this.#open.get(id);
    this.#open.delete(id);
    await handle?.close();
  }

  /**
   * Closes all files. Those for which `doesAnswer` resolves to false stay open, since closing one would wait for its
   * file system; they are tried again with the next connection that ends.
   */
  async closeAll(doesAnswer: (id: string) => Promise<boolean>): Promise<void> {
    this.#isClosed = true;
    for (const [id, file] of this.#open) left.set(file, () => doesAnswer(id));
    this.#open.clear();
    const closed = [...left].map(async ([file, mayClose]) => {
      if (!(await mayClose()) || !left.delete(file)) return;
      await file.close();
    });
    await Promise.all(closed);
  }

  #handle(id: string): FileHandle {
    const handle = this.#open.get(id);
    if (!handle) throw new RpcError(ErrorCode.notFound, `unknown file handle ${JSON.stringify(id)}`);
    return handle;
  }

  #checkLength(length: number): void {
    const { fileBlockBytes } = this.#limits;
    if (length >= 1 && length <= fileBlockBytes) return;
    throw invalidRequest(
      `a block must have 1 to ${numberText(fileBlockBytes)} bytes, not ${numberText(length)}`,
    );
  }
}

async function openNew(path: string): Promise<FileHandle> {
  const handle = await openToReplace(path);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(path);
}
