// Converts file operation errors to wire errors.
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { invalidRequest, RpcError } from '../../rpc/rpc-error.ts';

/** Returns an error with the codes of the reference server, because agents recognize a missing file by -32004. */
export function fileError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof RpcError || typeof code !== 'string') return error;
  if (code === 'ENOENT') return new RpcError(ErrorCode.notFound, message, { cause: error });
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  return new RpcError(isForbidden ? ErrorCode.invalidRequest : ErrorCode.internal, message, { cause: error });
}

export const notAFile = (path: string): RpcError => invalidRequest(`${path} is not a file`);
