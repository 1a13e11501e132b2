// Environment variables that change which program runs, or what it does before its actual task.
import { isAbsolute } from 'node:path';
import { trustedFolders, withoutSlash } from './rule.ts';

/** Environment variables that do not change which code runs, unless their value may run or load something. */
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

/** Variables that set the language; if the value is a path, texts and tables are loaded from there. */
const LANGUAGES = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;

/** Variables that name a pager; agents set them to `cat` to disable paging. */
const PAGERS = new Set(['PAGER', 'GIT_PAGER', 'GH_PAGER', 'MANPAGER']);

/** Variables that agents set so that no editor waits for a person. */
const EDITORS = new Set(['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR']);

/** Text that a shell would execute when a script evaluates it. */
const SUBSTITUTION = /[`\n]|\$[({[]/;

/** Known frontends of debconf, which evaluates the variable DEBIAN_FRONTEND as Perl. */
const FRONTENDS = /^(?:noninteractive|teletype|readline|dialog|text)$/i;

/**
 * Returns true for a variable that may change which code runs: any that is not known to be harmless, and a
 * harmless one with a value that may run or load something.
 */
export function changesWhatRuns(name: string, value: string): boolean {
  if (name === 'DEBIAN_FRONTEND') return !FRONTENDS.test(value);
  if (LANGUAGES.test(name) && value.includes('/')) return true;
  return SUBSTITUTION.test(value) || (!HARMLESS.has(name) && !HARMLESS_PATTERN.test(name));
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the names of a command's environment variables that differ from the gateway's and may change which code runs,
 * including PATH when it is missing. Empty values (except of IFS), harmless pagers and editors, and a PATH of trusted
 * folders do not count.
 */
export function changedVariables(env: Environment, own: Environment): string[] {
  // Shells without a PATH search default folders, which may include the working folder.
  const missing = env['PATH'] === undefined ? ['PATH'] : [];
  return Object.entries(env)
    .filter(([name, value = '']) => changesWhatRuns(name, value) && !isAsUsual(name, value, own))
    .map(([name]) => name)
    .concat(missing)
    .toSorted();
}

function isAsUsual(name: string, value: string, own: Environment): boolean {
  if (value === own[name]) return true;
  if (name === 'PATH') return leadsToTheSame(value, own['PATH']);
  return (value === '' && name !== 'IFS') || startsNothing(name, value);
}

/** Words with which a command may read environment variables that it does not name. */
const READS_ANY =
  /\b(?:eval|printenv|env|set|declare|typeset|export|compgen|envsubst|environ|getenv|ENV)\b|\$\{!|process\.env/;
const SET_BY_SHELL = new Set(['SHLVL', 'OLDPWD', '_']);

/** Maximum number of characters of a command that are searched for names of variables; the same as for rules. */
const MENTIONED_CHARS = 128 * 1024;

/** Returns all parts of a command's first MENTIONED_CHARS characters that may be names of variables. */
export const mentionedIn = (words: readonly string[]): ReadonlySet<string> =>
  new Set(
    words
      .join('\n')
      .slice(0, MENTIONED_CHARS)
      .match(/[A-Za-z_]\w*/g),
  );

/** Returns the names among `names` whose variables a command with these words may read. */
export function readBy(words: readonly string[], names: readonly string[]): string[] {
  const text = words.join('\n');
  const mayReadAny = text.length > MENTIONED_CHARS || READS_ANY.test(text);
  if (mayReadAny) return names.filter((name) => !SET_BY_SHELL.has(name));
  const mentioned = mentionedIn(words);
  return names.filter((name) => mentioned.has(name));
}

/** Returns true for a variable that sets a pager that only prints, or an editor that does nothing. */
export const startsNothing = (name: string, value: string): boolean =>
  EDITORS.has(name) ? value === 'true' || value === ':' : PAGERS.has(name) && value === 'cat';

/**
 * Returns true when a PATH has only absolute folders that are the system's or in the gateway's own PATH (`own`).
 */
function leadsToTheSame(path: string, own: string | undefined): boolean {
  const trusted = trustedFolders(own);
  return path.split(':').every((folder) => isAbsolute(folder) && trusted.has(withoutSlash(folder)));
}
