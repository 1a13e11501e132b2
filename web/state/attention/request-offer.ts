// An approval request as a notification: its text, and whether that text is enough to approve it.
import type { Approval } from '../../../protocol/approvals.ts';
import { commandLine } from '../../../text/command-line.ts';
import { visible } from '../../../text/visible.ts';
import { askedText, isCommand, requestName } from '../approvals/request-words.ts';
import { cutTo } from '../../../text/cut.ts';

/** Maximum length, in characters, of a command or folder that notifications show in full on every system. */
const WHOLE_CHARS = 60;
/** Maximum length of the text for a longer request, in characters. */
const TEXT_CHARS = 160;

/** Printable ASCII text without runs of spaces that could push something out of view. */
const PLAIN = /^(?!.* {2})[!-~](?:[ -~]*[!-~])?$/;

/** Word of printable ASCII, which has no hidden characters or look-alike letters. */
const PRINTABLE = /^[ -~]*$/;

export interface RequestOffer {
  readonly title: string;
  readonly body: string;
  /** True when the text shows the whole request. */
  readonly mayApprove: boolean;
}

export function offerOf(request: Approval): RequestOffer {
  const title = `${visible(request.startedBy)} ${askedText(request)}`;
  const line = commandLine(request.argv);
  if (!isPlainCommand(request) || !isWhole(line) || !isWhole(request.cwd))
    return { title, body: cutTo(requestName(request), TEXT_CHARS), mayApprove: false };
  const sandbox = request.kind === 'tool' ? '' : request.sandboxed ? ', in a sandbox' : ', without a sandbox';
  return { title, body: `${line}\nin ${request.cwd}${sandbox}`, mayApprove: true };
}

/** Returns true when the request's card shows nothing to check besides the command, folder and sandbox. */
const isPlainCommand = (request: Approval): boolean =>
  isCommand(request) &&
  request.isWhole &&
  request.argv.every((word) => PRINTABLE.test(word)) &&
  request.arg0 === null &&
  !request.tty &&
  !request.pipeStdin &&
  request.variables.length === 0 &&
  request.program === null &&
  request.folder === null &&
  request.complex === null &&
  request.pause === null &&
  !request.hasGoneOn;

const isWhole = (text: string): boolean => text.length <= WHOLE_CHARS && PLAIN.test(text);

/** Returns the text that must be unchanged for a press on the notification to count. */
export const shownText = (request: Approval, { title, body, mayApprove }: RequestOffer): string =>
  JSON.stringify([request.id, request.createdAtMs, request.argv.length, title, body, mayApprove]);
