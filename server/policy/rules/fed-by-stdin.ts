// Detects programs that execute their input, so that writing to them means running commands.
import { basename } from 'node:path';
import { INTERPRETER, RUNS_CODE } from './proposal.ts';
import { plainScript } from './script-words.ts';
import { inside, isShell, scriptIn } from './wrapped.ts';
import { isWrapper } from './wrappers.ts';

/** Programs that may execute their input, such as interpreters, debuggers, editors, and clients of databases. */
const OTHERS = new Set(
  (
    'amm ansible-console at autossh aws-vault batch bashdb bb bc beeline bpython ccl chez chezscheme chroot clickhouse ' +
    'clickhouse-client clickhouse-local clisp clj clojure coqtop cqlsh csharp csi cypher-shell d8 dbclient dc duckdb ecl ' +
    'ed emacs es evcxr ex fakechroot fakeroot fennel firejail fsharpi fsi ftp gap gdb gforth ghci gjs gnuplot gore gosh ' +
    'gp groovysh guile hermes hive hush iex influx ion ipython ipython3 isql janet jdb jjs jrunscript js jsc jshell ' +
    'jupyter-console kotlin kotlinc latex lean lein lftp lima litecli lldb login lualatex m4 magma mariadb math matlab ' +
    'maxima mit-scheme mongo mongosh mosh mycli mysql mysqlsh nc ncat newgrp nix-shell nvim ocaml octave octave-cli oil ' +
    'osh parallel pdb pdb3 pdflatex pdftex perl6 pgcli plink poly pry psql ptpython pyspark qalc qjs racket raku rakudo ' +
    'redis-cli rhino rsh rust-script sage sbcl scala-cli scheme screen scsh sftp sg sml snowsql socat spark-shell ' +
    'spark-sql sqlcmd sqlite sqlite3 sqlplus ssh su swift swipl tcc telnet tex texlua tmux trino ts-node tsql tsx usql ' +
    'coffee utop vi view vim wish wolframscript wsl xargs xelatex xterm yaegi ysh'
  ).split(' '),
);
/** Package runners; any of their words may be the program to run. */
const RUNNERS = new Set('bundle bunx conda npm npx pipenv pipx pnpm pnpx poetry uv uvx yarn'.split(' '));
/** Interpreters whose program is an argument, such as `awk`; the program may execute the input. */
const OF_PROGRAMS = new Set('awk frawk gawk goawk gsed mawk nawk original-awk sed'.split(' '));
const CONTAINERS = new Set(
  (
    'adb apptainer crictl ctr docker docker-compose finch incus k3s kubectl lxc machinectl microk8s minikube nerdctl ' +
    'nomad oc podman podman-compose podman-remote singularity'
  ).split(' '),
);
const IN_CONTAINER = new Set(['attach', 'debug', 'exec', 'run', 'start']);
/** Words that start a shell or console when they are among the first arguments. */
const SUBSHELLS = new Set(
  'console dbconsole dbshell develop enter fsi ps:exec repl rsh shell shell_plus ssh start-session tinker'.split(
    ' ',
  ),
);
const FIRST_WORDS = 4;
/** Programs, and those of their subcommands that execute stdin. */
const READING_COMMANDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^rails$/, /^(?:c|db)$/],
  [/^crystal$/, /^(?:eval|i)$/],
  [/^jupyter$/, /^run$/],
];
/** Subcommands that run the file named after them. */
const RUNNING = /^(?:eval|exec|r|run|runner|script)$/;
/** Python modules that read commands. */
const READING_MODULES = new Set('asyncio bpython code IPython ipdb pdb ptpython pudb'.split(' '));
/** Options of PHP that make it process its input line by line. */
const PHP_EACH_LINE = /^-[A-Za-z]*[BFR]|^--process-/;

/** File names of standard input, with or without their folder. */
const STDIN = /^(?:-|0)$|(?:^|\/)(?:\.\/+)*(?:stdin|fd\/+(?:\.\/+)*0)$/;
/** Version at the end of a program's name. */
const VERSION = /[-.]?\d[\d.]*$/;

/** Options of shells and interpreters that take the next word as their value. */
const VALUED =
  /^(?:[-+][oO]|-[rIWXClvFdE]|--(?:rcfile|init-file|require|import|loader|experimental-loader|conditions|env-file(?:-if-exists)?|icu-data-dir|openssl-config|redirect-warnings|watch-path|php-ini|define))$/;

/** A long option of an interpreter, which may take the next word as its value if that is not the path of a file. */
const LONG = /^--[^=]+$/;
const PATH = /[./]/;

/** Maximum nesting of commands in commands that is followed. */
const DEEPEST = 8;
/** Maximum number of words; longer commands count as programs that execute their input. */
const MOST_WORDS = 2000;

/** Characters that separate an option's name, its value, and the words of the value. */
const IN_WORD = /[\s=!|;&(]+/;

/** Programs that at most print: they neither write files nor run other programs. */
const PRINTING = new Set(
  (
    '[ basename cat cd cksum cmp comm cut diff dirname echo egrep expand expr false fgrep fmt fold grep head id jq ls ' +
    'md5sum nl numfmt od paste printf pwd realpath rev seq sha1sum sha256sum sleep stat tac tail test tr true uname wc ' +
    'which whoami'
  ).split(' '),
);
/** Programs that may write files, and run no programs. */
const WRITING = new Set(['base64', 'iconv', 'sort', 'tee', 'uniq']);

/**
 * Returns false when input for the command is only data. `runsAsWritten`: no environment variable makes a shell run
 * other code before or instead of its script; only then are the commands of a script examined.
 */
export const isFedByStdin = (words: readonly string[], runsAsWritten: boolean): boolean =>
  isFed(words, runsAsWritten, 0);

/** Returns true for a command that may run a shell whose script comes from the input. */
export function mayReadScript(words: readonly string[]): boolean {
  if (isShell(words[0] ?? '')) return isFedByStdin(words, true);
  const within = inside(words);
  return within !== null && (within.isOpaque || within.exact.some(mayReadScript));
}

function isFed(words: readonly string[], runsAsWritten: boolean, depth: number): boolean {
  const [program = '', ...rest] = words;
  const name = basename(program);
  if (words.length > MOST_WORDS || depth > DEEPEST) return true;
  if (PRINTING.has(program)) return false;
  if (isOther(name) || OF_PROGRAMS.has(name) || runsOther(name, rest)) return true;
  if (rest.slice(0, FIRST_WORDS).some((word) => SUBSHELLS.has(word))) return true;
  if (READING_COMMANDS.some(([of, command]) => of.test(name) && command.test(rest[0] ?? ''))) return true;
  if (rest.some(namesStdin) && words.some((word) => runsFile(basename(word)) || RUNNING.test(word)))
    return true;
  if (isOfFiles(name) && rest.length === 0) return true;
  const script = scriptIn(words);
  const commands = runsAsWritten && script?.isAlone ? plainScript(script.script) : null;
  if (commands)
    return mayRunWhatItWrites(commands) || commands.some((each) => isFed(each, runsAsWritten, depth + 1));
  // A program that the script runs may read the input.
  if (script) return true;
  // Another program may start a shell that is named anywhere in its words.
  if (words.some((_, at) => isReader(words.slice(at)))) return true;
  if (rest.some(startsReader)) return true;
  const within = isWrapper(program) ? inside(words) : null;
  // Many wrappers run a shell when no command is given.
  const isShellToo = within?.exact.length === 0;
  return (
    within !== null &&
    (isShellToo || within.isOpaque || within.exact.some((each) => isFed(each, runsAsWritten, depth + 1)))
  );
}

/** Returns true for a package runner or container client that may start a shell, or a program that reads commands. */
function runsOther(name: string, rest: readonly string[]): boolean {
  const commands = rest.filter((word) => !word.startsWith('-'));
  if (name === 'npx' && commands.length === 0) return true;
  if (name === 'npm' && /^(?:exec|x)$/.test(commands[0] ?? '') && commands.length === 1) return true;
  if (CONTAINERS.has(name)) {
    if (rest.some((word) => IN_CONTAINER.has(word))) return true;
    if (rest.includes('build') && rest.some(namesStdin)) return true;
  }
  const isRunner =
    RUNNERS.has(name) || (name !== 'git' && rest.some((word) => word === '--' || word === 'exec'));
  return isRunner && rest.some((word) => isOther(packageOf(word)) || word === '-');
}

/** Returns the program's name in `@scope/name@version`. */
const packageOf = (word: string): string => basename(word.replace(/(?!^)@.*$/, ''));

/** Returns true when the word, or an option's value in it, names standard input, as in `-f-`, `-sf-` and `--file=-`. */
const namesStdin = (word: string): boolean =>
  STDIN.test(word) || STDIN.test(/^(?:--[\w-]+=|-[A-Za-z]+(?=[-/]))(.+)$/.exec(word)?.[1] ?? '');

/** Returns true for programs that execute a file which is named in their words. */
const runsFile = (name: string): boolean =>
  INTERPRETER.test(name) || isShell(name) || isOfFiles(name) || /^(?:cmake|ip|java)$/.test(name);

/** Returns true when a word contains a command that executes its input, as in `--filter=sh` and `alias.x=!sh -s`. */
function startsReader(word: string): boolean {
  const pieces = word.split(IN_WORD).filter(Boolean);
  if (pieces.length < 2 && !/^[!|]/.test(word)) return false;
  return pieces.some((piece, at) => isOther(basename(piece)) || isReader(pieces.slice(at)));
}

/** Returns true when one of the commands may write the input to a file, and another may execute that file. */
function mayRunWhatItWrites(commands: readonly (readonly string[])[]): boolean {
  const others = commands.filter(([program = '']) => !PRINTING.has(program));
  return others.length > 1 && !others.every(isWriting);
}

/** Returns true for a command that only writes files; `sort --compress-program`, also abbreviated, runs a program. */
const isWriting = ([program = '', ...rest]: readonly string[]): boolean =>
  WRITING.has(program) && !rest.some((word) => word.startsWith('--c'));

const isOther = (name: string): boolean => OTHERS.has(name) || OTHERS.has(name.replace(VERSION, ''));

/** Returns true for programs such as `make`, which execute a named file, or their input. */
const isOfFiles = (name: string): boolean => /^(?:(?:[bgp]|re)?make|crontab|just)$/.test(name);

/**
 * Returns true for a shell or interpreter that reads its program from stdin, or whose program may execute its
 * input.
 */
function isReader([program = '', ...rest]: readonly string[]): boolean {
  const name = basename(program);
  if (isShell(name)) return rest.some((word) => /^-[a-z]*[csi]/.test(word)) || readsItsProgram(rest, false);
  if (!INTERPRETER.test(name)) return false;
  const module = moduleIn(rest);
  return (
    rest.some((word) => RUNS_CODE.test(word) || /^-[a-z]*i$/.test(word)) ||
    (name.startsWith('php') && rest.some((word) => PHP_EACH_LINE.test(word))) ||
    (module === null ? readsItsProgram(rest, true) : READING_MODULES.has(module))
  );
}

/** Returns the module of `-m code`, `-mcode` and `-Im code`; null when there is none. */
function moduleIn(rest: readonly string[]): string | null {
  const at = rest.findIndex((word) => /^-[A-Za-z]*m/.test(word));
  if (at === -1) return null;
  return (rest[at] ?? '').replace(/^-[A-Za-z]*?m/, '') || (rest[at + 1] ?? '');
}

/**
 * Returns true when a shell or interpreter with these words may read its program from stdin: when they may name no file
 * before their end or before the `;` that ends a command of `find`, or when they name standard input.
 */
function readsItsProgram(rest: readonly string[], mayTakeValues: boolean): boolean {
  /** Indices at which a word may be an option or a file, rather than an option's value. */
  const reached = new Set([0]);
  for (let at = 0; at <= rest.length; at += 1) {
    if (!reached.has(at)) continue;
    const word = rest[at] === '--' ? rest[at + 1] : rest[at];
    if (word === undefined || word === ';' || STDIN.test(word)) return true;
    if (rest[at] === '--' || !/^[-+]/.test(word)) continue;
    const takesValue = VALUED.test(word);
    if (!takesValue) reached.add(at + 1);
    if (takesValue || (mayTakeValues && LONG.test(word) && !PATH.test(rest[at + 1] ?? '')))
      reached.add(Math.min(at + 2, rest.length));
  }
  return false;
}
