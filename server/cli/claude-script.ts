// A script that Claude Code makes of a command: it reads a snapshot of the shell, runs the command and keeps its folder.

export interface ClaudeScript {
  /** Name of the shell that the snapshot is of; null when there is none. */
  readonly shell: string | null;
  /** The command of the tool call; null when it cannot be told. */
  readonly command: string | null;
}

/** Most characters of a command as a label. */
const LABEL_CHARS = 200;

export function claudeScript(script: string): ClaudeScript {
  const [, shell] = /\/shell-snapshots\/snapshot-(bash|zsh)-/.exec(script) ?? [];
  return { shell: shell ?? null, command: evaluated(script)?.slice(0, LABEL_CHARS) ?? null };
}

/** The word after `eval`, without its quotes. */
function evaluated(script: string): string | null {
  const [, word] = /(?:^|&& )eval ((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\<>|&;])+)/s.exec(script) ?? [];
  if (word === undefined) return null;
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_all, plain: string | undefined, quoted: string | undefined, escaped: string | undefined) =>
      plain ?? quoted?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? '',
  );
}
