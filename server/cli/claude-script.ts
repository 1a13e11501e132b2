// Parses the script that Claude Code wraps around a command: it sources a shell snapshot, runs the command and
// saves the working directory.
import { headOf } from '../../text/cut.ts';

export interface ClaudeScript {
  /** Shell of the snapshot; null when there is none. */
  readonly shell: string | null;
  /** Command of the tool call, shortened to LABEL_CHARS; null when it cannot be parsed. */
  readonly command: string | null;
}

/** Maximum length of a command used as a label, in characters. */
const LABEL_CHARS = 200;

export function claudeScript(script: string): ClaudeScript {
  const [, shell] = /\/shell-snapshots\/snapshot-(bash|zsh)-/.exec(script) ?? [];
  const command = evaluated(script);
  return { shell: shell ?? null, command: command === null ? null : headOf(command, LABEL_CHARS) };
}

/** Returns the argument of `eval`, without its quotes; null when there is none. */
function evaluated(script: string): string | null {
  const [, word] = /(?:^|&& )eval ((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\<>|&;])+)/s.exec(script) ?? [];
  if (word === undefined) return null;
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_all, plain: string | undefined, quoted: string | undefined, escaped: string | undefined) =>
      plain ?? quoted?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? '',
  );
}
