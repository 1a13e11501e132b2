// A command line as far as it is shown: some have a whole file in an argument.

/** So many characters of it; what is cut ends with `…`, and what follows is left out. */
export function shownCommand(argv: readonly string[], chars: number): readonly string[] {
  let left = chars;
  const shown: string[] = [];
  for (const argument of argv) {
    if (argument.length > left) return [...shown, `${argument.slice(0, left)}…`];
    shown.push(argument);
    // An empty one is kept, too.
    left -= argument.length + 1;
  }
  return shown;
}
