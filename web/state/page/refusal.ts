// Why the gateway gives nothing of a process, as its pane says it.
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { RequestError } from '../../../client/exec-client.ts';

const LOST = 'The gateway does not know this process any more: it is a new one, or keeps no record of it';

export function refusalText(error: Error): string {
  return error instanceof RequestError && error.code === ErrorCode.unknownKey ? LOST : error.message;
}
