// Finds rules that must not be offered for a command, or added by an operator, because they would allow too much.
import { basename } from 'node:path';
import { inside, isShell } from './wrapped.ts';
import { isWrapper } from './wrappers.ts';

/**
 * Programs whose name does not describe the action, so that a rule about the name alone would allow
 * everything.
 */
const ALONE = new Set(
  (
    'ansible apt apt-get aws az brew bun bundle cargo composer conda dnf docker dotnet gcloud gem gh git go gradle helm ' +
    'just kubectl make mvn npm npx bunx pip pip3 pnpm podman poetry rake rustup swift terraform uv uvx yarn yum'
  ).split(' '),
);
/** Programs whose second word does not describe the action either, so a rule must name the third one. */
const ALONE_WITH: readonly (readonly [string, RegExp])[] = [
  ['npm', /^(?:run|run-script|exec|x)$/],
  ['pnpm', /^(?:run|exec|dlx)$/],
  ['yarn', /^(?:run|exec|dlx)$/],
  ['bun', /^(?:run|x)$/],
  ['cargo', /^run$/],
  ['go', /^(?:run|generate)$/],
  ['docker', /^(?:run|exec|compose)$/],
  ['podman', /^(?:run|exec)$/],
  ['kubectl', /^(?:exec|run)$/],
  ['uv', /^run$/],
  ['poetry', /^run$/],
  ['bundle', /^exec$/],
];
/** Programs that no offered rule may allow, whatever their arguments. */
const NEVER = new Set([
  'rm',
  'dd',
  'mkfs',
  'shutdown',
  'reboot',
  'kill',
  'pkill',
  'killall',
  'at',
  'crontab',
]);

export const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|R|Rscript|julia|osascript|awk|gawk|mawk|sed|tclsh|expect|ghci|irb|groovy|scala|elixir|erl|powershell|pwsh|cmd)[\d.]*(?:\.exe)?$/i;
export const RUNS_CODE =
  /^(?:-[A-Za-z]*[ceprE]|--(?:eval|print|command|execute)(?:=.*)?|-|eval|-Command|-EncodedCommand|\/c)$/;

/** Limits on an offered rule, because people would not read a longer one. */
const MOST_WORDS = 32;
const MOST_CHARS = 1000;

/** Returns true when a rule that allows this beginning must not be offered. */
export function isBanned(words: readonly string[]): boolean {
  const [program = '', second = ''] = words;
  const name = basename(program);
  if (words.length > MOST_WORDS || words.join(' ').length > MOST_CHARS) return true;
  if (program === '') return true;
  // A relative path may lead to a different program in each folder.
  if (program.includes('/') && !program.startsWith('/')) return true;
  if (NEVER.has(name) || isShell(name) || isWrapper(name) || inside(words)) return true;
  if (words.length === 1 && (ALONE.has(name) || INTERPRETER.test(name))) return true;
  if (words.length === 2 && ALONE_WITH.some(([each, with_]) => each === name && with_.test(second)))
    return true;
  if (name === 'git' && second.startsWith('-')) return true;
  return INTERPRETER.test(name) && words.slice(1).some((word) => RUNS_CODE.test(word));
}
