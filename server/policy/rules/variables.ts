// Variables of an environment that change which program runs, or make it act before its actual task.
import { isAbsolute } from 'node:path';
import { trustedFolders, withoutSlash } from './rule.ts';

/** Names that change how a program prints, what it is called or where it is, and not which code runs. */
const HARMLESS = new Set(
  (
    'LANG LANGUAGE TZ TERM TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID COLORTERM COLORFGBG COLUMNS LINES NO_COLOR ' +
    'FORCE_COLOR CLICOLOR CLICOLOR_FORCE LS_COLORS PWD OLDPWD SHLVL USER LOGNAME USERNAME HOSTNAME _ CI TMPDIR TMP TEMP ' +
    'RUST_BACKTRACE GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE ' +
    'PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED AI_AGENT CLAUDECODE GEMINI_CLI OPENCODE CURSOR_AGENT ' +
    'EXEC_CONSOLE_INSIDE CODEX_CI CODEX_THREAD_ID CODEX_SESSION_ID CODEX_TOOL_CALL_ID CODEX_SANDBOX ' +
    'CODEX_SANDBOX_NETWORK_DISABLED'
  ).split(' '),
);
const HARMLESS_PATTERN = /^(?:LC_[A-Z]+|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|CARGO_TERM_[A-Z_]+)$/;

/** Variables that every Codex sets to disable paging. */
const PAGERS = new Set(['PAGER', 'GIT_PAGER', 'GH_PAGER', 'MANPAGER']);

/** Variables that agents set so that no editor waits for a person. */
const EDITORS = new Set(['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR']);

/** Text that a shell would run when a script evaluates it. */
const SUBSTITUTION = /[`\n]|\$[({[]/;

/** Frontends of debconf, which evaluates this variable as Perl. */
const FRONTENDS = /^(?:noninteractive|teletype|readline|dialog|text)$/i;

/**
 * True for every name but those that are known to be harmless: programs without number heed variables of their own, with
 * which they load code or run commands. True also for a harmless one whose value is a command.
 */
export function changesWhatRuns(name: string, value: string): boolean {
  if (name === 'DEBIAN_FRONTEND') return !FRONTENDS.test(value);
  return SUBSTITUTION.test(value) || (!HARMLESS.has(name) && !HARMLESS_PATTERN.test(name));
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables of a command that differ from the gateway's own environment, and may change which code runs.
 */
export function changedVariables(env: Environment, own: Environment): string[] {
  return Object.entries(env)
    .filter(([name, value = '']) => changesWhatRuns(name, value) && !isAsUsual(name, value, own))
    .map(([name]) => name)
    .toSorted();
}

function isAsUsual(name: string, value: string, own: Environment): boolean {
  if (value === own[name]) return true;
  if (name === 'PATH') return leadsToTheSame(value, own['PATH']);
  return (value === '' && name !== 'IFS') || startsNothing(name, value);
}

/** True for a pager that only prints and an editor that does nothing. */
export const startsNothing = (name: string, value: string): boolean =>
  EDITORS.has(name) ? value === 'true' || value === ':' : PAGERS.has(name) && value === 'cat';

/** True when the path contains only folders that the gateway would search too. */
function leadsToTheSame(path: string, own: string | undefined): boolean {
  const trusted = trustedFolders(own);
  return path.split(':').every((folder) => isAbsolute(folder) && trusted.has(withoutSlash(folder)));
}
