// Parser of rule files, in the supported part of Codex's rule language: three calls, strings, lists,
// comments.
import { isAbsolute } from 'node:path';
import { numberText } from '../../../text/amounts.ts';
import type { RuleDecision } from '../../../protocol/rules.ts';
import {
  DECISIONS,
  NO_RULES,
  RuleSet,
  together,
  type NetworkRule,
  type PrefixRule,
  type Rules,
} from './rule.ts';
import { RuleError, tokensOf, type Spot, type Token } from './rule-tokens.ts';
import { plainScript } from './script-words.ts';

type Value = { readonly spot: Spot } & (
  | { readonly text: string; readonly items?: undefined }
  | { readonly items: readonly Value[]; readonly text?: undefined }
);

interface Call {
  readonly spot: Spot;
  readonly name: string;
  readonly given: ReadonlyMap<string, Value>;
}

/** Maximum number of rules in a file, more than anyone would write by hand. */
const MOST_RULES = 10_000;
/** Maximum number of words in a pattern. */
const MOST_WORDS = 64;
/** Maximum nesting of lists; a pattern's alternatives need two. */
const DEEPEST = 4;

/** Parses a file; throws RuleError, because a single error makes the whole file invalid. */
export function parseRules(source: string, file: string): Rules {
  const reader = new Reader(tokensOf(source));
  const all: Rules[] = [];
  for (let call = reader.call(); call; call = reader.call()) {
    if (all.length >= MOST_RULES)
      throw new RuleError(call.spot, `the file has more than ${numberText(MOST_RULES)} rules`);
    all.push(ruleOf(call, file));
  }
  return together(all);
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Returns the next call; null at the end of the file. Throws RuleError. */
  call(): Call | null {
    const name = this.#next();
    if (name.kind === 'end') return null;
    if (name.kind !== 'name')
      throw new RuleError(name, 'expected one of prefix_rule, host_executable, network_rule');
    this.#expect('(');
    const given = new Map<string, Value>();
    while (!this.#took(')')) {
      const argument = this.#next();
      if (argument.kind !== 'name') throw new RuleError(argument, `${name.text}: expected an argument name`);
      if (given.has(argument.text))
        throw new RuleError(argument, `${name.text}: ${argument.text} is given twice`);
      this.#expect('=');
      given.set(argument.text, this.#value(0));
      if (this.#took(')')) break;
      this.#expect(',');
    }
    return { spot: name, name: name.text, given };
  }

  #value(depth: number): Value {
    const token = this.#next();
    if (token.kind === 'string') return { spot: token, text: token.text };
    if (token.text !== '[' || token.kind !== 'punctuation')
      throw new RuleError(token, `expected a string or a list, not ${shownToken(token)}`);
    if (depth >= DEEPEST) throw new RuleError(token, 'lists are nested too deeply');
    const items: Value[] = [];
    while (!this.#took(']')) {
      items.push(this.#value(depth + 1));
      if (this.#took(']')) break;
      this.#expect(',');
    }
    return { spot: token, items };
  }

  #next(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (!token) throw new Error('invariant violation: no end of the tokens');
    this.#at += 1;
    return token;
  }

  #took(text: string): boolean {
    const token = this.#tokens[this.#at];
    const isIt = token?.kind === 'punctuation' && token.text === text;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #expect(text: string): void {
    const token = this.#next();
    if (token.kind !== 'punctuation' || token.text !== text)
      throw new RuleError(token, `expected ${JSON.stringify(text)}, not ${shownToken(token)}`);
  }
}

const shownToken = ({ kind, text }: Token): string =>
  kind === 'end' ? 'the end of the file' : JSON.stringify(text);

function ruleOf(call: Call, file: string): Rules {
  const place = { file, line: call.spot.line };
  switch (call.name) {
    case 'prefix_rule':
      return { ...NO_RULES, prefixes: [prefixRule(call, place)] };
    case 'host_executable': {
      const given = new Arguments(call, ['name', 'paths']);
      const name = given.text('name');
      if (name === '' || name.includes('/'))
        throw given.wrong('name', 'expected a bare name, without a folder');
      const paths = given.texts('paths');
      if (!paths.every((path) => isAbsolute(path) && path.endsWith(`/${name}`)))
        throw given.wrong('paths', `expected absolute paths that end with /${name}`);
      return { ...NO_RULES, executables: [{ name, paths }] };
    }
    case 'network_rule':
      return { ...NO_RULES, networks: [networkRule(call, place)] };
    default:
      throw new RuleError(
        call.spot,
        `unknown rule ${call.name}: expected one of prefix_rule, host_executable, network_rule`,
      );
  }
}

type Where = Pick<PrefixRule, 'file' | 'line'>;

function prefixRule(call: Call, place: Where): PrefixRule {
  const given = new Arguments(call, ['pattern', 'decision', 'justification', 'match', 'not_match']);
  const pattern = given.list('pattern').map((each, at) => alternativesOf(each, at === 0));
  if (pattern.length === 0 || pattern.length > MOST_WORDS)
    throw given.wrong('pattern', `expected 1 to ${MOST_WORDS} words`);
  const decision = given.oneOf('decision', DECISIONS) ?? 'allow';
  const rule = { ...place, pattern, decision, justification: given.textOrNull('justification') };
  const alone = new RuleSet({ ...NO_RULES, prefixes: [rule] }, '');
  for (const [name, wanted] of [
    ['match', true],
    ['not_match', false],
  ] as const) {
    for (const example of given.has(name) ? given.list(name) : []) {
      if (alone.matching(wordsOf(example)).length > 0 === wanted) continue;
      throw new RuleError(
        example.spot,
        `${name}: this example ${wanted ? 'does not match' : 'matches'} the pattern`,
      );
    }
  }
  return rule;
}

function networkRule(call: Call, place: Where): NetworkRule {
  const given = new Arguments(call, ['host', 'protocol', 'decision', 'justification']);
  const host = given.text('host');
  if (!/^(?:\*\.)?[\w.:-]+$/.test(host)) throw given.wrong('host', 'expected a host name');
  const protocol = given.oneOf('protocol', ['http', 'https', 'socks5_tcp', 'socks5_udp'] as const);
  if (protocol === null) throw new RuleError(call.spot, 'network_rule: protocol is missing');
  const decision = given.oneOf('decision', ['allow', 'prompt', 'deny'] as const);
  if (decision === null) throw new RuleError(call.spot, 'network_rule: decision is missing');
  const words: Record<typeof decision, RuleDecision> = {
    allow: 'allow',
    prompt: 'prompt',
    deny: 'forbidden',
  };
  return {
    ...place,
    host,
    protocol,
    decision: words[decision],
    justification: given.textOrNull('justification'),
  };
}

/** Returns the alternatives for a word. Throws RuleError for an empty list, and for an empty program. */
function alternativesOf({ spot, text, items }: Value, isProgram: boolean): string[] {
  const alternatives = items ? items.map(textOf) : [text ?? ''];
  if (alternatives.length === 0 || (isProgram && alternatives.includes('')))
    throw new RuleError(spot, 'pattern: expected a word, or a list of words');
  return alternatives;
}

/** Returns the words of an example, which is a command line or a list of words. Throws RuleError for other values. */
function wordsOf({ spot, text, items }: Value): readonly string[] {
  if (items) return items.map(textOf);
  const commands = plainScript(text ?? '');
  if (commands?.length !== 1) throw new RuleError(spot, 'expected one command of plain words as an example');
  return commands[0] ?? [];
}

function textOf({ spot, text }: Value): string {
  if (text === undefined) throw new RuleError(spot, 'expected a string, not a list');
  return text;
}

class Arguments {
  readonly #call: Call;

  constructor(call: Call, known: readonly string[]) {
    this.#call = call;
    for (const [name, { spot }] of call.given)
      if (!known.includes(name)) throw new RuleError(spot, `${call.name} has no argument ${name}`);
  }

  has(name: string): boolean {
    return this.#call.given.has(name);
  }

  wrong(name: string, what: string): RuleError {
    return new RuleError(this.#value(name).spot, `${this.#call.name}: ${name}: ${what}`);
  }

  text(name: string): string {
    return textOf(this.#value(name));
  }

  textOrNull(name: string): string | null {
    return this.has(name) ? this.text(name) : null;
  }

  list(name: string): readonly Value[] {
    const { items } = this.#value(name);
    if (!items) throw this.wrong(name, 'expected a list');
    return items;
  }

  texts(name: string): string[] {
    return this.list(name).map(textOf);
  }

  /**
   * Returns the argument, which must be one of `words`; null when it is absent. Throws RuleError for another
   * value.
   */
  oneOf<T extends string>(name: string, words: readonly T[]): T | null {
    if (!this.has(name)) return null;
    const text = this.text(name);
    const found = words.find((word) => word === text);
    if (found === undefined) throw this.wrong(name, `expected one of ${words.join(', ')}`);
    return found;
  }

  #value(name: string): Value {
    const value = this.#call.given.get(name);
    if (!value) throw new RuleError(this.#call.spot, `${this.#call.name}: ${name} is missing`);
    return value;
  }
}
