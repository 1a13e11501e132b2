// The text of a block for the index of masked text: what a search shows to readers who see no secrets.
import { masked, mayHaveSecrets } from '../../text/masking.ts';
import { maskedLine, plainLine } from '../../text/plain-text.ts';
import { LINE_CHARS, linesOf, plainView, textOf } from './plain-view.ts';

export interface MaskedBlock {
  /** One character per byte. */
  readonly text: string;
  /** True when a line had a secret that shows only when control sequences are applied or removed. */
  readonly hasSecrets: boolean;
}

/** Returns the text of a line's first `LINE_CHARS` bytes, with secrets masked; `line` has one character per byte. */
export const shownMasked = (line: string): string => maskedLine(textOf(line.slice(0, LINE_CHARS)), masked);

/** Returns the text of a block for the index; `raw`: its output, which `maskedText` has masked. */
export function maskedBlock(raw: string): MaskedBlock {
  const view = plainView(raw, true);
  if (!mayHaveSecrets(view)) return { text: view, hasSecrets: false };
  const lines = raw.split('\n');
  let hasSecrets = false;
  const shown = linesOf(view).map((plain, at) => {
    if (!mayHaveSecrets(plain)) return plain;
    const line = lines[at] ?? '';
    const text = shownMasked(line);
    hasSecrets ||= text !== plainLine(textOf(line.slice(0, LINE_CHARS)));
    return Buffer.from(text).toString('latin1');
  });
  return { text: shown.join('\n'), hasSecrets };
}
