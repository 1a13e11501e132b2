// exec-console policy: what the rules in the state folder say about a command.
import { join, resolve } from 'node:path';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import { checked } from '../policy/rules/check.ts';
import { BrokenRules, readRules, rulesIn } from '../policy/rules/rule-folder.ts';
import { RuleSet } from '../policy/rules/rule.ts';
import type { RuleCheck } from '../../protocol/rules.ts';
import { commandLine } from '../../text/command-line.ts';
import { visible, visibleLines } from '../../text/visible.ts';
import type { Arguments } from './arguments.ts';
import { withGateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';

export const policy: Subcommand = {
  usage: 'policy check [flags] -- COMMAND… | set POLICY [flags] | rules | accept',
  summary: 'say which rules match a command, set who is asked, accept rules',
  help: `check -- COMMAND…   says what happens when an agent starts COMMAND: which rules match it, and what each policy of
                     --approvals makes of it. Reads the rules in the state folder, whether a gateway runs or not
  set POLICY         never, on-request, on-failure or always, on the running gateway; or default, what it was started with
    --agent NAME     only for this agent: the name of its token
  rules              the rules that count on the running gateway, and files that were changed otherwise (with --json)
  accept             lets those files count; for admins

  --rules PATH         a file or folder of more rules, as the gateway was given; may be repeated
  --json               one object: {"decision", "matchedRules", "parts", "complex", "verdicts", …}`,
  flags: {
    rules: { type: 'string', multiple: true },
    agent: { type: 'string' },
    json: { type: 'boolean' },
  },
  words: 'any',
  async execute(args, env) {
    const [act, ...argv] = args.words;
    if (act === 'set' && argv.length === 1) return set(args, env, argv[0] ?? '');
    if (act === 'rules' && argv.length === 0) return showRules(args, env);
    if (act === 'accept' && argv.length === 0) return accept(args, env);
    if (act !== 'check' || argv.length === 0)
      throw new UsageError(
        'expected: exec-console policy check -- COMMAND…, policy set POLICY, policy rules or policy accept',
      );
    const check = checked(rulesFor(args, env), argv, null);
    await (args.has('json') ? printJson(check) : print(inWords(check)));
    return ExitCode.ok;
  },
};

function set(args: Arguments, env: NodeJS.ProcessEnv, word: string): Promise<number> {
  const chosen = APPROVAL_POLICIES.find((each) => each === word) ?? null;
  if (chosen === null && word !== 'default')
    throw new UsageError(`policy set ${word}: expected one of ${APPROVAL_POLICIES.join(', ')}, default`);
  const agent = args.text('agent');
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    await client.connection.request('console/setPolicy', {
      policy: chosen,
      ...(agent !== null && { agent }),
    });
    await print(`${word} holds ${agent === null ? 'for all agents' : `for ${visible(agent)}`}`);
    return ExitCode.ok;
  });
}

function showRules(args: Arguments, env: NodeJS.ProcessEnv): Promise<number> {
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    const rules = await client.connection.request('console/rules', {});
    const changed = rules.changed.map(
      ({ file, accepted, found }) =>
        `# changed, and not applied: ${visible(file)}\n${diff(accepted ?? '', found ?? '')}`,
    );
    const texts = rules.files.map(({ file, text }) => `# ${visible(file)}\n${visibleLines(text).trimEnd()}`);
    await (args.has('json')
      ? printJson(rules)
      : print([...texts, ...changed].join('\n\n') || 'There are no rules.'));
    return ExitCode.ok;
  });
}

/** Lines that are gone, and lines that are new. */
function diff(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !fresh.includes(line)).map((line) => `- ${visible(line)}`),
    ...fresh.filter((line) => !old.includes(line)).map((line) => `+ ${visible(line)}`),
  ].join('\n');
}

function accept(args: Arguments, env: NodeJS.ProcessEnv): Promise<number> {
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    await client.connection.request('console/acceptRules', {});
    await print('the rules count as they are on disk');
    return ExitCode.ok;
  });
}

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
    ...(commands.length === 0 ? [] : [table([['RULES SAY', 'COMMAND'], ...commands]), '']),
    ...(rules.length === 0 ? ['No rule matches.'] : rules),
    '',
    table([['POLICY', 'COMMAND'], ...policies]),
  ].join('\n');
}
