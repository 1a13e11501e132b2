// Programs that do what they read, so that whoever writes to them runs commands.
import { basename } from 'node:path';
import { INTERPRETER, RUNS_CODE } from './proposal.ts';
import { inside, isShell, isWrapper, scriptIn } from './wrapped.ts';

const OTHERS = new Set(
  'at batch bc dc ed ex gdb lldb mongosh mysql mariadb parallel psql redis-cli sftp sqlite3 ssh telnet vi vim xargs'.split(
    ' ',
  ),
);
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl', 'kubectl']);

/** Commands in commands are followed so far. */
const DEEPEST = 8;

export function isFedByStdin(words: readonly string[], depth = 0): boolean {
  const [program = '', ...rest] = words;
  const name = basename(program);
  if (OTHERS.has(name) || depth > DEEPEST) return true;
  if (CONTAINERS.has(name))
    return rest.some((word) => word === 'exec' || word === 'run' || word === 'attach');
  // A program that the script runs may read it.
  if (scriptIn(words)) return true;
  if (isShell(program)) return readsItsProgram(rest);
  if (INTERPRETER.test(name))
    return !rest.some((word) => RUNS_CODE.test(word) && word !== '-') && readsItsProgram(rest);
  const within = isWrapper(program) ? inside(words) : null;
  return within !== null && (within.isOpaque || within.exact.some((each) => isFedByStdin(each, depth + 1)));
}

/** No file is named, or standard input is. */
const readsItsProgram = (rest: readonly string[]): boolean =>
  rest.every((word) => word.startsWith('-') && word !== '-m') ||
  rest.some((word) => /^-(?:[a-z]*[is])?$/.test(word));
