// Half-typed lines: lines that still have text after all erasing.
import { expect, it } from 'vitest';
import { TypedLine } from './typed-line.ts';

const DEL = '\u007f';
const [LEFT, HOME, UP] = ['\u001b[D', '\u001b[H', '\u001b[A'];

const isHalf = (keys: readonly string[]): boolean => {
  const line = new TypedLine();
  for (const key of keys) line.type(key);
  return line.isHalf;
};

it.each([
  ['nine Backspaces', ['echo gone', ...Array<string>(9).fill(DEL)]],
  ['more Backspaces than letters', ['ab', DEL, DEL, DEL, DEL]],
  ['Backspace as Ctrl+H', ['é', '\b']],
  ['Backspace over a letter of two units', ['\u{1f600}', DEL]],
  ['Ctrl+W, word by word', ['git  commit ', '\u0017', '\u0017']],
  ['Alt+Backspace', ['abc', '\u001b\u007f']],
  ['Ctrl+U', ['echo gone', '\u0015']],
  ['Ctrl+A and Ctrl+K', ['echo gone', '\u0001', '\u000b']],
  ['Home and Delete', ['ab', HOME, '\u001b[3~', '\u001b[3~']],
  ['Ctrl+C', ['echo gone', '\u0003']],
  ['Enter', ['echo gone', '\r']],
  ['keys that arrive at once', [`echo${DEL.repeat(4)}`]],
  ['Ctrl+U after a completion', ['ec', '\t', '\u0015']],
  ['Backspaces over a pasted text', ['\u001b[200~ls\n\u001b[201~', DEL, DEL, DEL]],
  ['a key that is no text', [UP]],
])('A line is empty after %s', (_, keys) => expect(isHalf(keys)).toBe(false));

it.each([
  ['one Backspace too few', ['echo gone', ...Array<string>(8).fill(DEL)]],
  ['Backspaces with nothing before the cursor', ['ab', LEFT, LEFT, DEL, DEL]],
  ['Ctrl+K at its end', ['ab', '\u000b']],
  ['Ctrl+U in its middle', ['ab', LEFT, '\u0015']],
  ['Ctrl+W over one of two words', ['git commit', '\u0017']],
  ['Backspaces over a completed word', ['ec', '\t', DEL, DEL, DEL]],
  ['Backspaces over a line from the history', ['a', UP, DEL]],
  ['letters after an Enter', ['ls\rpr']],
  ['a pasted text with line ends', ['\u001b[200~ls\nls\n\u001b[201~']],
  ['more characters than are remembered', ['x'.repeat(20_000), DEL]],
])('A line is half typed after %s', (_, keys) => expect(isHalf(keys)).toBe(true));
