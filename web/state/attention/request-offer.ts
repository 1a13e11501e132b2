// A request for approval as a notification: its text, and whether that is enough for an approval.
import type { Approval } from '../../../protocol/approvals.ts';
import { commandLine } from '../../../text/command-line.ts';
import { visible } from '../../../text/visible.ts';
import { askedText, isCommand, requestName } from '../approvals/request-words.ts';

/** Most characters of a command, and of its folder, that a notification shows whole on every system. */
const WHOLE_CHARS = 60;
/** Most characters of the text of a longer request. */
const TEXT_CHARS = 160;

/** Text of printable ASCII, in which no run of blanks moves anything out of view. */
const PLAIN = /^(?!.* {2})[!-~](?:[ -~]*[!-~])?$/;

/** A word in which nothing is hidden, and nothing looks like another letter. */
const PRINTABLE = /^[ -~]*$/;

export interface RequestOffer {
  readonly title: string;
  readonly body: string;
  /** True when the text is the whole request. */
  readonly mayApprove: boolean;
}

export function offerOf(request: Approval): RequestOffer {
  const title = `${visible(request.startedBy)} ${askedText(request)}`;
  const line = commandLine(request.argv);
  if (!isPlainCommand(request) || !isWhole(line) || !isWhole(request.cwd))
    return { title, body: requestName(request).slice(0, TEXT_CHARS), mayApprove: false };
  const sandbox = request.kind === 'tool' ? '' : request.sandboxed ? ', in a sandbox' : ', without a sandbox';
  return { title, body: `${line}\nin ${request.cwd}${sandbox}`, mayApprove: true };
}

/** True when its card shows nothing that needs a look beside the command, folder and sandbox. */
const isPlainCommand = (request: Approval): boolean =>
  isCommand(request) &&
  request.isWhole &&
  request.argv.every((word) => PRINTABLE.test(word)) &&
  request.arg0 === null &&
  !request.tty &&
  !request.pipeStdin &&
  request.variables.length === 0 &&
  request.program === null &&
  request.complex === null &&
  request.pause === null &&
  !request.hasGoneOn;

const isWhole = (text: string): boolean => text.length <= WHOLE_CHARS && PLAIN.test(text);

/** Returns the text of which a later change makes a press on the notification void. */
export const shownText = (request: Approval, { title, body, mayApprove }: RequestOffer): string =>
  JSON.stringify([request.id, request.createdAtMs, request.argv.length, title, body, mayApprove]);
