// Text that a program chose, made fit for a list: one line, no control characters, not too long.

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** Null when nothing is left. */
export function plainText(text: string, maxChars: number): string | null {
  const plain = text.replaceAll('\t', ' ').replaceAll(CONTROLS, '').trim();
  return plain === '' ? null : Array.from(plain).slice(0, maxChars).join('');
}
