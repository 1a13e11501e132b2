// Detects programs that execute their input, so that writing to them means running commands.
import { basename } from 'node:path';
import { INTERPRETER, RUNS_CODE } from './proposal.ts';
import { plainScript } from './script-words.ts';
import { inside, isShell, isWrapper, scriptIn } from './wrapped.ts';

const OTHERS = new Set(
  (
    'amm at batch bashdb bb bc bpython ccl chez chezscheme chroot clisp clj clojure coqtop cqlsh csi dc duckdb ecl ed ' +
    'emacs es evcxr ex fakeroot fennel firejail ftp gap gdb gforth ghci gnuplot gore gosh gp groovysh guile hush iex ' +
    'influx ion ipython ipython3 janet jdb jshell kotlin kotlinc lean lein lftp lldb login m4 magma mariadb maxima ' +
    'mit-scheme mongo mongosh mosh mysql mysqlsh nc ncat newgrp nix-shell nvim ocaml octave octave-cli oil osh parallel ' +
    'pdb pdb3 plink pry psql ptpython pyspark qalc racket redis-cli rsh sage sbcl scala-cli scheme screen scsh sftp sg ' +
    'socat spark-shell sqlite3 sqlplus ssh su swift swipl telnet tmux ts-node tsx vi view vim wish wsl xargs xterm yaegi ysh'
  ).split(' '),
);
/** Package runners; any of their words may be the program to run. */
const RUNNERS = new Set('bundle bunx conda npm npx pipenv pipx pnpm pnpx poetry uv uvx yarn'.split(' '));
/** Interpreters whose program is one of their words, and may execute their input. */
const OF_PROGRAMS = new Set(['awk', 'gawk', 'mawk', 'nawk', 'sed']);
const CONTAINERS = new Set([
  'adb',
  'docker',
  'incus',
  'kubectl',
  'lxc',
  'machinectl',
  'nerdctl',
  'oc',
  'podman',
]);
const IN_CONTAINER = new Set(['exec', 'run', 'attach']);
/** Words that start a shell elsewhere when they are among the first of a command. */
const SUBSHELLS = new Set(['shell', 'rsh', 'ssh', 'enter', 'console', 'repl', 'start-session']);
const FIRST_WORDS = 4;
/** Python modules that read commands. */
const READING_MODULES = new Set(['asyncio', 'code', 'IPython', 'pdb', 'ptpython']);

/** File names of standard input, in any spelling and from any folder. */
const STDIN = /^(?:-|0)$|(?:^|\/)(?:\.\/+)*(?:stdin|fd\/+(?:\.\/+)*0)$/;
/** Version at the end of a program's name. */
const VERSION = /[-.]?\d[\d.]*$/;

/** Options of shells and interpreters that take the next word as their value. */
const VALUED =
  /^(?:[-+][oO]|-[rIWXClvFdE]|--(?:rcfile|init-file|require|import|loader|experimental-loader|conditions))$/;

/** Maximum nesting of commands in commands that is followed. */
const DEEPEST = 8;
/** Maximum number of words; longer commands count as programs that execute their input. */
const MOST_WORDS = 2000;

/** Programs that print, and neither write files nor run programs. */
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
 * Returns false when input for the command is only data. `runsAsWritten`: no variable makes a shell act before or instead
 * of its script; only then the commands of a script are judged.
 */
export const isFedByStdin = (words: readonly string[], runsAsWritten: boolean): boolean =>
  isFed(words, runsAsWritten, 0);

function isFed(words: readonly string[], runsAsWritten: boolean, depth: number): boolean {
  const [program = '', ...rest] = words;
  const name = basename(program);
  if (words.length > MOST_WORDS || depth > DEEPEST) return true;
  if (isOther(name) || OF_PROGRAMS.has(name)) return true;
  if (RUNNERS.has(name) && rest.some((word) => isOther(word) || word === '-')) return true;
  if (CONTAINERS.has(name) && rest.some((word) => IN_CONTAINER.has(word))) return true;
  if (rest.slice(0, FIRST_WORDS).some((word) => SUBSHELLS.has(word))) return true;
  if (rest.some((word) => STDIN.test(word)) && (INTERPRETER.test(name) || isShell(name) || isOfFiles(name)))
    return true;
  if (isOfFiles(name) && (rest.length === 0 || rest.includes('-f-'))) return true;
  const script = scriptIn(words);
  const commands = runsAsWritten && script?.isAlone ? plainScript(script.script) : null;
  if (commands)
    return mayRunWhatItWrites(commands) || commands.some((each) => isFed(each, runsAsWritten, depth + 1));
  // A program that the script runs may read the input.
  if (script) return true;
  // Another program may start a shell that is named anywhere in its words.
  if (words.some((_, at) => isReader(words.slice(at)))) return true;
  const within = isWrapper(program) ? inside(words) : null;
  // Many of these programs run a shell when no command is given.
  const isShellToo = within?.exact.length === 0;
  return (
    within !== null &&
    (isShellToo || within.isOpaque || within.exact.some((each) => isFed(each, runsAsWritten, depth + 1)))
  );
}

/** Returns true for commands of which one may write the input to a file, and another one may execute that. */
function mayRunWhatItWrites(commands: readonly (readonly string[])[]): boolean {
  const others = commands.filter(([program = '']) => !PRINTING.has(program));
  return others.length > 1 && !others.every(isWriting);
}

/** Returns false for options of `sort` that may name a program. */
const isWriting = ([program = '', ...rest]: readonly string[]): boolean =>
  WRITING.has(program) && !rest.some((word) => word.startsWith('--c'));

const isOther = (name: string): boolean => OTHERS.has(name) || OTHERS.has(name.replace(VERSION, ''));

/** Returns true for programs that execute a named file, or their input. */
const isOfFiles = (name: string): boolean => name === 'make' || name === 'gmake' || name === 'crontab';

/**
 * Returns true for a shell or interpreter that reads its program from stdin, or whose program may execute its
 * input.
 */
function isReader([program = '', ...rest]: readonly string[]): boolean {
  const name = basename(program);
  if (isShell(name)) return rest.some((word) => /^-[a-z]*[csi]/.test(word)) || readsItsProgram(rest);
  if (!INTERPRETER.test(name)) return false;
  const module = rest[rest.indexOf('-m') + 1] ?? '';
  return (
    rest.some((word) => RUNS_CODE.test(word) || /^-[a-z]*i$/.test(word)) ||
    (rest.includes('-m') ? READING_MODULES.has(module) : readsItsProgram(rest))
  );
}

/** Returns true when no file is named, or standard input is. */
function readsItsProgram(rest: readonly string[]): boolean {
  let at = 0;
  while (at < rest.length) {
    const word = rest[at] ?? '';
    if (STDIN.test(word)) return true;
    if (word === '--') return at + 1 >= rest.length || STDIN.test(rest[at + 1] ?? '');
    if (!/^[-+]/.test(word)) return false;
    at += VALUED.test(word) ? 2 : 1;
  }
  return true;
}
