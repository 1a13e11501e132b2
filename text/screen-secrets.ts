// Secrets in the output that draws a screen: any row may end with the beginning of one that the next output continues.
import { findSecrets } from './masking.ts';
import type { Span } from './secret-spans.ts';

const ROW_END = /\r?\n/g;

/** Matches the letter at the cursor, which a screen may draw last and apart from its word. */
// oxlint-disable-next-line no-control-regex -- these begin sequences
const LAST_LETTER = /\u001b\[\d+;\d+H(?:\u001b\[[\d;]*m)*(?=[!-~]$)/;

export function screenSecrets(text: string): readonly Span[] {
  const { spans } = findSecrets(text, { isWhole: true, cutOff: 'lines', isBytes: true });
  const begun = begunInRows(text);
  const isLetterApart = begun.length > 0 && LAST_LETTER.test(text);
  return [...spans, ...begun, ...(isLetterApart ? [{ start: text.length - 1, end: text.length }] : [])];
}

function begunInRows(text: string): readonly Span[] {
  const ends = [...text.matchAll(ROW_END)].map(({ index }) => index);
  let from = 0;
  return [...ends, text.length].flatMap((end) => {
    const start = from;
    from = end;
    const { spans, open } = findSecrets(text.slice(start, end), { isBytes: true });
    return open === '' ? [] : spans.map((span) => ({ start: start + span.start, end: start + span.end }));
  });
}
