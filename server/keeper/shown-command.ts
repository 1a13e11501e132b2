// Converts a started command to the form that is shown and stored, cut because some command lines contain a whole file.
import { ownCopy, ownText } from '../../text/own-copy.ts';
import type { ChildSpec, Enclosure } from '../host/child.ts';
import { headOf } from '../../text/cut.ts';

/** Maximum length of a sandbox policy, in characters. */
const POLICY_CHARS = 4096;

export type ShownSpec = Pick<ChildSpec, 'argv' | 'cwd' | 'tty' | 'pipeStdin'> & {
  readonly sandbox: Pick<Enclosure, 'type' | 'policy' | 'isOpen'> | null;
};

/**
 * Returns the shown members of a spec, with the command cut to about `commandChars`: copies that share no memory with
 * the request.
 */
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
 * Returns the command cut to about `chars` characters of JSON; a cut argument ends with `…`, and the later ones are
 * omitted.
 */
export function shownCommand(argv: readonly string[], chars: number): readonly string[] {
  let left = chars;
  const shown: string[] = [];
  for (const argument of argv) {
    const cut = cutTo(argument, left);
    if (left < 0 || cut !== argument) return [...shown, `${cut}…`];
    shown.push(argument);
    // Each argument counts as one character more, so that empty arguments count too.
    left -= inJson(argument) + 1;
  }
  return shown;
}

/** Returns the length in JSON, without the quotes; most control characters are escaped with six characters. */
const inJson = (text: string): number => JSON.stringify(text).length - 2;

function cutTo(argument: string, chars: number): string {
  let cut = headOf(argument, Math.max(0, chars));
  for (let length = inJson(cut); length > chars && cut !== ''; length = inJson(cut)) {
    cut = headOf(cut, Math.floor((cut.length * chars) / length));
  }
  return cut;
}
