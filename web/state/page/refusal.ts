// Reasons why the gateway refuses an action on a process, in plain words.
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { RequestError } from '../../../client/exec-client.ts';
import { asSentence, errorText, NO_LONGER_EXISTS } from '../../../text/error-text.ts';

const UNKNOWN = `this process ${NO_LONGER_EXISTS}`;

/** Returns the reason in a form that fits after a colon or in brackets. */
export const refusalText = (error: unknown): string =>
  error instanceof RequestError && error.code === ErrorCode.unknownKey ? UNKNOWN : errorText(error);

/** Returns the reason as a sentence of its own. */
export const refusalSentence = (error: unknown): string => asSentence(refusalText(error));
