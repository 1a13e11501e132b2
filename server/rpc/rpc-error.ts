// Errors of a request, as sent on the wire.
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { ownText } from '../../text/own-copy.ts';

/** Maximum characters of a message, which may quote a path of a megabyte that a caller has sent. */
const LONGEST_MESSAGE = 4096;

/** An error reply. Any other error that a handler throws is an internal error and is logged. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message.length > LONGEST_MESSAGE ? ownText(message, LONGEST_MESSAGE) : message, options);
    this.code = code;
  }
}

export const invalidRequest = (message: string): RpcError => new RpcError(ErrorCode.invalidRequest, message);
export const invalidParams = (message: string): RpcError => new RpcError(ErrorCode.invalidParams, message);
export const methodNotFound = (message: string): RpcError => new RpcError(ErrorCode.methodNotFound, message);
export const internal = (message: string): RpcError => new RpcError(ErrorCode.internal, message);

/** Thrown for a protocol violation that ends the connection, not only its request. */
export class ProtocolViolation extends Error {}
