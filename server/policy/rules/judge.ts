// Evaluates a command by the rules: its parts, the rules that match each, and the strictest of their
// decisions.
import { cutTo } from '../../../text/cut.ts';
import type { RuleDecision } from '../../../protocol/rules.ts';
import { isDangerous } from './dangerous.ts';
import { isBanned } from './proposal.ts';
import { mayReadScript } from './fed-by-stdin.ts';
import { strictest, type PrefixRule, type RuleSet } from './rule.ts';
import { looseCommands, plainScript, STORING, withoutName } from './script-words.ts';
import { inside, isShell, scriptIn, tailsOf } from './wrapped.ts';

export interface Command {
  readonly argv: readonly string[];
  /** Name under which the program is started, if not `argv[0]`; otherwise null. */
  readonly arg0: string | null;
}

/** The command, or one that it runs, as the words that rules are compared with. */
export interface Part {
  readonly words: readonly string[];
  readonly rules: readonly PrefixRule[];
  readonly decision: RuleDecision | null;
}

export interface Judged {
  /** Commands in order; complete unless `complex` is set. */
  readonly parts: readonly Part[];
  /** Restricting rules that match a command that may run. */
  readonly suspected: readonly PrefixRule[];
  /** Reason why the commands that may run cannot be determined; null when all are known. */
  readonly complex: string | null;
  /** True when only a part was examined, so that any rule may match the rest. */
  readonly isCutShort: boolean;
  readonly isDangerous: boolean;
  /**
   * Strictest decision of the matching rules; null when there are none, and instead of `allow` when a command is
   * unknown or a part has no rule.
   */
  readonly decision: RuleDecision | null;
}

/** Maximum nesting of commands in commands that is followed. */
const DEEPEST = 8;
/** Maximum number of commands that are known exactly, all of which are shown, and of commands that may run. */
const MOST_PARTS = 500;
const MOST_COMMANDS = 5000;
/**
 * Maximum number of words and characters examined in a command; a person would not read a longer one anyway.
 */
const MOST_WORDS = 5000;
const MOST_CHARS = 128 * 1024;
/** Maximum number of characters that are examined in the scripts inside a command. */
const MOST_SCRIPT_CHARS = 4 * MOST_CHARS;
/** Number of words that are compared with rules and shown when a command is too long. */
const BEGINNING_WORDS = 64;

/** Maximum number of rules that are offered together. */
const MOST_PROPOSED = 50;

/** Maximum length of a program's name in a reason. */
const NAMED_CHARS = 200;

interface Found {
  readonly exact: (readonly string[])[];
  readonly loose: (readonly string[])[];
  complex: string | null;
  /** Reason why only a part was examined; null when all was. */
  cutShort: string | null;
  /** Scripts already examined; nested wrappers lead to the same script more than once. */
  readonly scripts: Set<string>;
  scriptChars: number;
}

export function judge(rules: RuleSet, { argv, arg0 }: Command): Judged {
  const found: Found = {
    exact: [],
    loose: [],
    complex: null,
    cutShort: null,
    scripts: new Set(),
    scriptChars: 0,
  };
  if (isTooLong(argv)) {
    found.cutShort = 'it is too long to check against the rules';
    found.exact.push(argv.slice(0, BEGINNING_WORDS));
  } else find(rules, argv, found, 0);
  if (arg0 !== null && arg0 !== argv[0] && found.cutShort === null) {
    found.complex = `the program is started under the name ${JSON.stringify(cutTo(arg0, NAMED_CHARS))}`;
    const asArg0: Found = { ...found, exact: found.loose };
    find(rules, [arg0, ...argv.slice(1)], asArg0, 0);
    found.cutShort = asArg0.cutShort;
  }
  found.complex ??= found.cutShort;
  const parts = found.exact.map((words): Part => {
    const matching = rules.matching(words);
    return { words, rules: matching, decision: strictest(matching.map(({ decision }) => decision)) };
  });
  const suspected = [...new Set(found.loose.flatMap((words) => rules.matching(words)).filter(isRestricting))];
  const decisions = [
    ...parts.flatMap((part) => part.decision ?? []),
    ...suspected.map((rule) => rule.decision),
  ];
  const most = strictest(decisions);
  const isAllowed = found.complex === null && parts.every(({ decision }) => decision !== null);
  return {
    parts,
    suspected,
    complex: found.complex,
    isCutShort: found.cutShort !== null,
    isDangerous: [
      ...parts.filter(({ decision }) => decision === null).map(({ words }) => words),
      ...found.loose,
    ].some(isDangerous),
    decision: most === 'allow' && !isAllowed ? null : most,
  };
}

function isTooLong(words: readonly string[]): boolean {
  let chars = 0;
  for (const word of words) chars += word.length;
  return words.length > MOST_WORDS || chars > MOST_CHARS;
}

const isRestricting = ({ decision }: PrefixRule): boolean => decision !== 'allow';

/**
 * Returns prefixes for rules that, together with the existing ones, would allow the whole command; empty when a rule
 * already decides it, or when no rules that may be offered suffice.
 */
export function proposalFor({ parts, complex, decision }: Judged): readonly (readonly string[])[] {
  if (complex !== null || decision !== null) return [];
  const asked = parts.filter((part) => part.decision === null).map(({ words }) => words);
  if (asked.length > MOST_PROPOSED || asked.some(isBanned)) return [];
  return [...new Map(asked.map((words) => [JSON.stringify(words), words])).values()];
}

/**
 * Returns the words that identify an approved command: for a script with a single command the words of that
 * command, however the shell was called; otherwise the arguments. A script never equals arguments of the same
 * words.
 */
export function canonical({ argv }: Command): {
  readonly isScript: boolean;
  readonly words: readonly string[];
} {
  const given = isTooLong(argv) ? null : scriptIn(argv);
  const commands = given?.isAlone ? plainScript(given.script) : null;
  const [only, ...others] = commands ?? [];
  return only && others.length === 0
    ? { isScript: true, words: only }
    : { isScript: false, words: argv.slice(1) };
}

function find(rules: RuleSet, words: readonly string[], found: Found, depth: number): void {
  if (depth > DEEPEST) found.cutShort ??= 'its commands are nested too deeply';
  if (found.exact.length >= MOST_PARTS) found.cutShort ??= 'it has too many commands';
  if (isFull(found)) return;
  const given = scriptIn(words);
  if (given) {
    findInScript(rules, words, { ...given, found, depth });
    return;
  }
  found.exact.push(words);
  const within = inside(words);
  if (!within) return;
  if (within.isOpaque) {
    addTails(words.slice(1).map(withoutName), found);
    found.complex ??= `it cannot be determined what ${JSON.stringify(cutTo(words[0] ?? '', NAMED_CHARS))} runs`;
  }
  for (const each of within.exact) find(rules, each, found, depth + 1);
  addTails(words.slice(1), found);
}

function findInScript(
  rules: RuleSet,
  words: readonly string[],
  {
    script,
    isAlone,
    found,
    depth,
  }: { readonly script: string; readonly isAlone: boolean; readonly found: Found; readonly depth: number },
): void {
  const [program = ''] = words;
  const shell = cutTo(program, NAMED_CHARS);
  const commands = isAlone ? plainScript(script) : null;
  if (commands) {
    for (const each of commands) find(rules, each, found, depth + 1);
    const reader = commands.find(mayReadScript);
    if (reader && commands.length > 1) {
      found.complex ??= `${cutTo(reader[0] ?? '', NAMED_CHARS)} executes its input`;
      // The output of another command may be the script, so any word may be a command.
      for (const each of commands) addTails(each.slice(1), found);
    }
  } else {
    found.complex ??= isAlone
      ? 'the script contains more than plain words'
      : `${shell} has other arguments besides a script`;
    addScript(script, found);
    // Words after the script, or instead of it, may be commands.
    addTails(words.slice(1), found);
  }
  if (!rules.isTrusted(program)) found.complex ??= `${shell} is not the system's own shell`;
}

function addScript(script: string, found: Found): void {
  if (found.scripts.has(script)) return;
  found.scripts.add(script);
  found.scriptChars += script.length;
  if (found.scriptChars > MOST_SCRIPT_CHARS) found.cutShort ??= 'its scripts are too long to check';
  if (found.cutShort !== null) return;
  const commands: (readonly string[])[] = [];
  for (const words of looseCommands(script)) {
    if (isFull(found)) return;
    commands.push(words);
    found.loose.push(words);
    const [first = ''] = words;
    if (hasSpecial(first)) addScript(first, found);
    if (STORING.has(first)) addTails(words.slice(1).map(withoutName), found);
    if (isShell(first) || inside(words) !== null) addTails(words.slice(1), found);
  }
  // The output of another command may be the script of a shell, so any word may be a command.
  if (/[|<]/.test(script) && commands.some(mayReadScript))
    for (const words of commands) addTails(words.slice(1), found);
}

/** Adds each word as the possible beginning of a command and, if it has special characters, also as a script. */
function addTails(words: readonly string[], found: Found): void {
  for (const tail of tailsOf(words)) {
    if (isFull(found)) return;
    found.loose.push(tail);
    if (hasSpecial(tail[0] ?? '')) addScript(tail[0] ?? '', found);
  }
}

/** Returns true for a word with characters that a shell may interpret. */
const hasSpecial = (word: string): boolean => /[^\w@%+:,./-]/.test(word);

function isFull(found: Found): boolean {
  if (found.loose.length > MOST_COMMANDS) found.cutShort ??= 'it has too many commands';
  return found.cutShort !== null;
}
