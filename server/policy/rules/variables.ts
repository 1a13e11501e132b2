// Variables of an environment that change which program runs, or make it act before its actual task.
import { isAbsolute } from 'node:path';
import { trustedFolders, withoutSlash } from './rule.ts';

const NAMES = new Set(
  (
    'PATH HOME ENV BASH_ENV BASHOPTS SHELLOPTS PS4 PROMPT_COMMAND ZDOTDIR FPATH CDPATH XDG_CONFIG_HOME XDG_DATA_HOME ' +
    'EDITOR VISUAL PAGER MANPAGER GH_PAGER BROWSER LESSOPEN LESSCLOSE SSH_ASKPASS SUDO_ASKPASS INPUTRC TERMINFO ' +
    'NODE_OPTIONS NODE_PATH PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB GEM_PATH GEM_HOME PHPRC PHP_INI_SCAN_DIR ' +
    'LUA_INIT LUA_PATH LUA_CPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS ' +
    'RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS GOFLAGS GOENV CC CXX LD AR MAKEFLAGS MAKEFILES ' +
    'GCONV_PATH LOCPATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES CURL_HOME WGETRC KUBECONFIG ' +
    'DOCKER_CONFIG DOCKER_HOST'
  ).split(' '),
);
const PATTERN = /^(?:LD_|DYLD_|GIT_|PYTHON|BASH_FUNC_|CARGO_|NPM_CONFIG_)/i;

/** Names that match the pattern, and do not change which code runs. */
const HARMLESS =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED)|CARGO_TERM_\w+)$/;

/** Variables that every Codex sets to disable paging. */
const PAGERS = new Set(['PAGER', 'GIT_PAGER', 'GH_PAGER', 'MANPAGER']);

/** Variables that agents set so that no editor waits for a person. */
const EDITORS = new Set(['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR']);

export const changesWhatRuns = (name: string): boolean =>
  (NAMES.has(name) || PATTERN.test(name)) && !HARMLESS.test(name);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables of a command that differ from the gateway's own environment, and may change which code runs.
 */
export function changedVariables(env: Environment, own: Environment): string[] {
  return Object.entries(env)
    .filter(([name, value = '']) => changesWhatRuns(name) && !isAsUsual(name, value, own))
    .map(([name]) => name)
    .toSorted();
}

function isAsUsual(name: string, value: string, own: Environment): boolean {
  if (value === own[name]) return true;
  if (name === 'PATH') return leadsToTheSame(value, own['PATH']);
  return value === '' || startsNothing(name, value);
}

/** True for a pager that only prints and an editor that does nothing. */
export const startsNothing = (name: string, value: string): boolean =>
  EDITORS.has(name) ? value === 'true' || value === ':' : PAGERS.has(name) && value === 'cat';

/** True when the path contains only folders that the gateway would search too. */
function leadsToTheSame(path: string, own: string | undefined): boolean {
  const trusted = trustedFolders(own);
  return path.split(':').every((folder) => isAbsolute(folder) && trusted.has(withoutSlash(folder)));
}
