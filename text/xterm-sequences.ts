// Control sequences in decoded text, as xterm.js reads them to draw the output in the page.

/** Controls that are executed within a sequence; DEL is only ignored. */
const EXECUTED = String.raw`\u0000-\u0017\u0019\u001c-\u001f`;
const IGNORED = String.raw`${EXECUTED}\u007f`;
const ESC = String.raw`\u001b[${IGNORED}]*`;
/** A non-ASCII character, which ends a sequence before its content; the character is not shown. */
const BEYOND = String.raw`(?:[\ud800-\udbff][\udc00-\udfff]|[\u00a0-\uffff])`;
const CSI = String.raw`(?:${ESC}\[|\u009b)`;
const DIGITS = String.raw`[0-;${IGNORED}]*`;
/** Parameters in an order after which all characters up to the final one are ignored. */
const WRONG = String.raw`[${IGNORED}]*(?:[0-?]${DIGITS}[<-?]|[0-?]?${DIGITS}[ -/][ -/${IGNORED}]*[0-?])`;
/** Content of a string, up to a control that ends it. */
const CONTENT = String.raw`[^\u0018\u001a\u001b\u0080-\u009f]*`;
const END = String.raw`\u001b\\|\u009c`;

export const XTERM_SEQUENCES = [
  String.raw`(?:${ESC}\]|\u009d)[^\u0007\u0018\u001a\u001b\u0080-\u009f]*(?:\u0007|${END})?`,
  String.raw`(?:${ESC}[X^]|[\u0098\u009e])[ -~${IGNORED}]*(?:${END}|${BEYOND})?`,
  String.raw`(?:${ESC}_|\u009f)[ -/${IGNORED}]*(?:[0-~]${CONTENT})?(?:${END}|${BEYOND})?`,
  String.raw`(?:${ESC}P|\u0090)[ -?${IGNORED}]*(?:[@-~]${CONTENT})?(?:${END}|${BEYOND})?`,
  String.raw`${CSI}${WRONG}(?:[ -?${IGNORED}]|${BEYOND})*[@-~]?`,
  String.raw`${CSI}[ -?${IGNORED}]*(?:[@-~]|${BEYOND})?`,
  String.raw`\u001b[ -/${IGNORED}]*(?:[0-~]|${BEYOND})?`,
  String.raw`[\u0080-\u009f]`,
].join('|');

/* oxlint-disable no-control-regex -- these are control sequences */
/**
 * Sequences that exist to move the cursor. Scrolling never does; inserting or deleting lines and setting margins do so
 * only for some cursor positions and parameters.
 */
export const XTERM_MOVES = /^(?:\u001b[8DEMc]|[\u0084\u0085\u008d]|(?:\u001b\[|\u009b)[\d:;]*[A-IZ`adefu])$/;

/** Strings that xterm.js may end elsewhere, and sequences after which its cursor may be elsewhere. */
const DOUBTFUL =
  /^(?:\u00c2?[\u0090\u0098\u009d-\u009f]|\u001b[PX^_][^]*[\u0080-\uffff]|\u001b\][^]*(?:\u00c2|(?<![\u0080-\uffff]))[\u0080-\u009f]|(?:\u001b\[|\u00c2?\u009b)[\d:;]*[LMSTr]$)/;
/** Strings that BEL does not end in xterm.js. */
const UNENDED_BY_BEL = /^\u001b[PX^_]/;
const INCOMPLETE = /^(?:(?:\u001b\[|\u00c2?\u009b)[ -?]*|\u001b[ -/]*)$/;
/* oxlint-enable no-control-regex */
const HAS_EXECUTED = new RegExp(`.[${EXECUTED}]`, 's');

/** Returns true if a control is executed within a sequence, after which REP repeats nothing. */
export const hasExecuted = (sequence: string): boolean => HAS_EXECUTED.test(sequence);

/**
 * Returns true if xterm.js may read a sequence differently than other terminals. `bare`: the sequence without the
 * controls that are executed within it; `next`: code of the character after it.
 */
export const isReadDifferently = (sequence: string, bare: string, next: number): boolean =>
  DOUBTFUL.test(bare) ||
  (sequence.endsWith('\u0007') && UNENDED_BY_BEL.test(bare)) ||
  (next >= 0x80 && INCOMPLETE.test(bare)) ||
  (bare.length < sequence.length && bare.endsWith('b') && hasExecuted(sequence));
