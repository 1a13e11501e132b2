// Parses a shell's command line to find the script that it runs with `-c`.

/** Options of bash, zsh or dash that take a value. */
const WITH_VALUE = /^(--rcfile|--init-file|--emulate|[-+][^-]*[oO])$/;

/** Returns the script in the arguments of a shell, `… -c SCRIPT …`; null when they contain none. */
export function scriptOf(words: readonly string[]): string | null {
  let isScript = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--' || word === '-') return isScript ? (words[at + 1] ?? null) : null;
    if (!/^[-+]./.test(word)) return isScript ? word : null;
    if (/^-[^-]*c/.test(word)) isScript = true;
    if (WITH_VALUE.test(word)) at += 1;
  }
  return null;
}
