// Splits a terminal's input into keys, reports and the sequences that begin a paste; each byte is a Latin-1 character.

/** Maximum length of an unfinished sequence that is held back until its end. */
const OPEN_CHARS = 4096;
export const PASTE_END = '\u001b[201~';
const PASTE_BEGIN = '200';

/* oxlint-disable no-control-regex -- these are control sequences */
/** Keys in kitty's protocol and xterm's modifyOtherKeys, and function keys whose sequences end in `~`. */
const KEY = /\u001b\[([\d:;]*)([u~])/y;
/** Reports without a key press: the mouse (X10, SGR, urxvt), the focus, and replies. */
const REPORT =
  /\u001b(?:\[(?:[IO]|M[ -\u00ff]{3}|<[\d;]+[Mm]|\d+;\d+;\d+M|\d+;\d+R|[\d;]+(?:[nt]|\$y)|[=>?][\d:;]*\$?[A-Za-z])|\]\d+(?:;[ -~\u0080-\u00ff]*)?(?:\u0007|\u001b\\)|(?:P[\d;]*[!$+>]|_G)[ -~\u0080-\u00ff]*\u001b\\)/y;
/** Unfinished sequence of any of these kinds, at the end of the text. */
const OPEN =
  /\u001b(?:$|\[(?:M[ -\u00ff]{0,2}|[<=>?]?[\d:;]*\$?)$|\](?:\d+(?:;[ -~\u0080-\u00ff]*)?\u001b?)?$|P(?:[\d;]*(?:[!$+>][ -~\u0080-\u00ff]*\u001b?)?)$|_(?:G[ -~\u0080-\u00ff]*\u001b?)?$)/y;
/* oxlint-enable no-control-regex */

export type Token =
  /** `spelled`: parameters and final character of the sequence; null for a key that is a single character. */
  | { readonly kind: 'key'; readonly text: string; readonly spelled: readonly [string, string] | null }
  | { readonly kind: 'report' | 'paste' | 'open'; readonly text: string };

/** Returns the token at this position; a token of kind `open` is the unfinished rest of the text. */
export function tokenAt(text: string, at: number): Token {
  const single = text.charAt(at);
  if (single !== '\u001b') return { kind: 'key', text: single, spelled: null };
  const [key, params = '', final = ''] = matched(KEY, text, at);
  if (key !== undefined) {
    const isPaste = params === PASTE_BEGIN && final === '~';
    return isPaste ? { kind: 'paste', text: key } : { kind: 'key', text: key, spelled: [params, final] };
  }
  const [report] = matched(REPORT, text, at);
  if (report !== undefined) return { kind: 'report', text: report };
  const [open] = text.length - at <= OPEN_CHARS ? matched(OPEN, text, at) : [];
  return open === undefined ? { kind: 'key', text: single, spelled: null } : { kind: 'open', text: open };
}

/** Returns the unfinished PASTE_END with which the text may end; `''` when there is none. */
export function openPasteEnd(text: string): string {
  for (let length = PASTE_END.length - 1; length > 0; length -= 1)
    if (text.endsWith(PASTE_END.slice(0, length))) return PASTE_END.slice(0, length);
  return '';
}

function matched(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}
