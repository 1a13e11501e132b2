// Reasons why the gateway refuses an action on a process, in plain words.
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { RequestError } from '../../../client/exec-client.ts';
import { errorText } from '../../../text/error-text.ts';

const UNKNOWN =
  'This process no longer exists: it was evicted, its recording was deleted, or it was lost in a restart of the gateway';

export const refusalText = (error: unknown): string =>
  error instanceof RequestError && error.code === ErrorCode.unknownKey ? UNKNOWN : errorText(error);
