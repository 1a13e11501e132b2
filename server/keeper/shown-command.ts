// A started command, as far as it is shown and kept: some command lines have a whole file in an argument.
import { ownCopy, ownText } from '../../text/own-copy.ts';
import type { ChildSpec, Enclosure } from '../host/child.ts';

/** Most characters of the words for a sandbox. */
const POLICY_CHARS = 4096;

export type ShownSpec = Pick<ChildSpec, 'argv' | 'cwd' | 'tty' | 'pipeStdin'> & {
  readonly sandbox: Pick<Enclosure, 'type' | 'policy' | 'isOpen'> | null;
};

/** Nothing of it is the request's own. */
export function shownSpec(
  { argv, cwd, tty, pipeStdin, sandbox }: ChildSpec,
  commandChars: number,
): ShownSpec {
  return {
    argv: ownCopy(shownCommand(argv, commandChars)),
    cwd: ownText(cwd),
    tty: tty && { rows: tty.rows, cols: tty.cols },
    pipeStdin,
    sandbox: sandbox && {
      type: sandbox.type,
      policy: ownText(sandbox.policy, POLICY_CHARS),
      isOpen: sandbox.isOpen,
    },
  };
}

/**
 * Returns the command cut to so many characters, as JSON has them; a cut argument ends with `…`, and the rest is left
 * out.
 */
export function shownCommand(argv: readonly string[], chars: number): readonly string[] {
  let left = chars;
  const shown: string[] = [];
  for (const argument of argv) {
    const cut = cutTo(argument, left);
    if (left < 0 || cut !== argument) return [...shown, `${cut}…`];
    shown.push(argument);
    // An empty one is kept, too.
    left -= inJson(argument) + 1;
  }
  return shown;
}

/** A control character takes six of them. */
const inJson = (text: string): number => JSON.stringify(text).length - 2;

function cutTo(argument: string, chars: number): string {
  let cut = argument.slice(0, Math.max(0, chars));
  for (let length = inJson(cut); length > chars && cut !== ''; length = inJson(cut)) {
    cut = cut.slice(0, Math.floor((cut.length * chars) / length));
  }
  return cut;
}
