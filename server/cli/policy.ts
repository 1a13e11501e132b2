// exec-console policy: what the rules in the state folder say about a command.
import { join, resolve } from 'node:path';
import { checked } from '../policy/rules/check.ts';
import { BrokenRules, readRules, rulesIn } from '../policy/rules/rule-folder.ts';
import { RuleSet } from '../policy/rules/rule.ts';
import type { RuleCheck } from '../../protocol/rules.ts';
import { commandLine } from '../../text/command-line.ts';
import { visible } from '../../text/visible.ts';
import type { Arguments } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';

export const policy: Subcommand = {
  usage: 'policy check [flags] -- COMMAND…',
  summary: 'say which rules match a command',
  help: `Says what happens when an agent starts COMMAND: which rules match it, and what each policy of --approvals makes of it.
Reads the rules in the state folder of this machine's gateway, whether it runs or not.

  --rules PATH         a file or folder of more rules, as the gateway was given; may be repeated
  --json               one object: {"decision", "matchedRules", "parts", "complex", "verdicts", …}`,
  flags: { rules: { type: 'string', multiple: true }, json: { type: 'boolean' } },
  words: 'any',
  async execute(args, env) {
    const [act, ...argv] = args.words;
    if (act !== 'check' || argv.length === 0)
      throw new UsageError('expected: exec-console policy check -- COMMAND…');
    const check = checked(rulesFor(args, env), argv, null);
    await (args.has('json') ? printJson(check) : print(inWords(check)));
    return ExitCode.ok;
  },
};

function rulesFor(args: Arguments, env: NodeJS.ProcessEnv): RuleSet {
  const own = join(stateDirOf(args.text('state-dir'), env), 'rules');
  const paths = [...args.texts('rules').map((path) => resolve(path)), own];
  try {
    const texts = Object.assign({}, ...paths.map(readRules)) as ReturnType<typeof readRules>;
    return new RuleSet(rulesIn(texts), env['PATH']);
  } catch (error) {
    if (error instanceof BrokenRules)
      throw new CommandFailed(
        ExitCode.failed,
        `${error.message}\nuntil this is mended, everything is asked about`,
      );
    throw error;
  }
}

const VERDICTS = { run: 'runs', ask: 'asks', refuse: 'is refused' } as const;

function inWords({ matchedRules, parts, complex, verdicts }: RuleCheck): string {
  const rules = matchedRules.map(({ file, line, rule, justification }) =>
    visible(`${file}:${line}: ${rule}${justification === null ? '' : ` (${justification})`}`),
  );
  const commands = parts.map(({ words, decision }) => [decision ?? 'no rule', commandLine(words)]);
  const policies = Object.entries(verdicts).map(([name, { verdict, reason }]) => [
    name,
    `${VERDICTS[verdict]}${reason === null ? '' : `: ${visible(reason)}`}`,
  ]);
  return [
    ...(complex === null ? [] : [visible(`Rules cannot tell what it runs: ${complex}.`)]),
    table([['RULES SAY', 'COMMAND'], ...commands]),
    '',
    ...(rules.length === 0 ? ['No rule matches.'] : rules),
    '',
    table([['POLICY', 'COMMAND'], ...policies]),
  ].join('\n');
}
