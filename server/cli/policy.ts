// exec-console policy: shows which commands of agents need approval, sets the policy, and accepts changed rules.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ChangedRules } from '../../protocol/approvals.ts';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import { ApprovalStore } from '../policy/approval-store.ts';
import { checked } from '../policy/rules/check.ts';
import { differences } from '../policy/rules/differences.ts';
import { BrokenRules, readRules, rulesIn } from '../policy/rules/rule-folder.ts';
import { RuleSet } from '../policy/rules/rule.ts';
import type { RuleCheck } from '../../protocol/rules.ts';
import { commandLine } from '../../text/command-line.ts';
import { visible, visibleLines } from '../../text/visible.ts';
import { ADDRESS_FLAGS, type Arguments } from './arguments.ts';
import { withGateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { lineDiff } from './line-diff.ts';
import { noteUnknownAgent } from './known-agent.ts';
import { printNote } from './notes.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';
import { actOf, refuseSurplus } from './word-count.ts';

export const policy: Subcommand = {
  usage: 'policy check [flags] -- COMMAND… | set POLICY [flags] | rules | accept',
  summary: 'Check commands against rules, and set which commands wait for approval',
  help: `The command "check" reads the rules in the state folder, whether a gateway is running or not. The other commands
use the running gateway.`,
  acts: [
    {
      name: 'check',
      usage: 'check -- COMMAND…',
      about: 'Show which rules match a command, and what each policy of --approvals does with it',
    },
    {
      name: 'set',
      usage: 'set POLICY',
      about:
        'Set the policy: never, on-request, on-failure, always, or default (what the gateway was started with)',
    },
    {
      name: 'rules',
      usage: 'rules',
      about: 'Print the rules that apply, and changed files that do not apply yet',
    },
    { name: 'accept', usage: 'accept', about: 'Apply changed rule files (admins only)' },
  ],
  flags: {
    rules: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      about: 'With check: file or folder of additional rules, like --rules of the gateway; may be repeated',
      completes: 'file',
    },
    agent: {
      type: 'string',
      value: 'NAME',
      about: 'With set: only for this agent; NAME is the name of its token',
    },
    json: {
      type: 'boolean',
      about:
        'With check: print {"decision", "matchedRules", "parts", "complex", "verdicts", …}. With rules: print {"files", "changed", "tightened"}',
    },
  },
  examples: [
    'policy check -- git push origin main',
    'policy set on-request --agent ci',
    'policy rules',
    'policy accept',
  ],
  completesAfter: { set: [...APPROVAL_POLICIES, 'default'] },
  words: 'any',
  async execute(args, env) {
    const [word, ...argv] = args.words;
    const act = actOf('policy', policy, word);
    if (act === 'set') return set(args, env, argv);
    if (act !== 'check') {
      refuseSurplus(argv, `policy ${act} [flags]`);
      return act === 'rules' ? showRules(args, env) : accept(args, env);
    }
    if (argv.length === 0)
      throw new UsageError('policy check needs a command: exec-console policy check -- COMMAND…');
    args.allowOnly('policy check', ['rules', 'json', 'state-dir']);
    const check = checked(rulesFor(args, env), argv, null);
    await (args.has('json') ? printJson(check) : print(inWords(check)));
    for (const file of unapplied(args, env))
      printNote(
        `${file} has changed and is not applied until an admin accepts it with: exec-console policy accept; until then every agent command waits`,
      );
    return ExitCode.ok;
  },
};

function set(args: Arguments, env: NodeJS.ProcessEnv, words: readonly string[]): Promise<number> {
  const word = words.join(' ');
  const chosen = APPROVAL_POLICIES.find((each) => each === word) ?? null;
  if (chosen === null && word !== 'default')
    throw new UsageError(
      `${word === '' ? 'policy set needs a policy' : `policy set ${word}`}: expected one of ${APPROVAL_POLICIES.join(', ')}, default`,
    );
  args.allowOnly('policy set', ['agent', ...ADDRESS_FLAGS]);
  const agent = args.text('agent');
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    await client.connection.request('console/setPolicy', {
      policy: chosen,
      ...(agent !== null && { agent }),
    });
    await noteUnknownAgent(client.connection, agent);
    const agents = agent === null ? 'all agents without a policy of their own' : visible(agent);
    await print(
      chosen === null
        ? `the policy of ${agents} is the default again`
        : `the policy of ${agents} is now ${word}`,
    );
    return ExitCode.ok;
  });
}

function showRules(args: Arguments, env: NodeJS.ProcessEnv): Promise<number> {
  args.allowOnly('policy rules', ['json', ...ADDRESS_FLAGS]);
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    const rules = await client.connection.request('console/rules', {});
    const tightened =
      rules.tightened === null
        ? []
        : [`# every agent command waits for approval: ${visible(rules.tightened)}`];
    const changed = rules.changed.map((each) => `# changed, not applied yet: ${changeText(each)}`);
    const texts = rules.files.map(({ file, text }) => `# ${visible(file)}\n${visibleLines(text).trimEnd()}`);
    await (args.has('json')
      ? printJson(rules)
      : print([...tightened, ...texts, ...changed].join('\n\n') || 'There are no rules.'));
    return ExitCode.ok;
  });
}

const changeText = ({ file, accepted, found }: ChangedRules): string =>
  [file, ...lineDiff(accepted ?? '', found ?? '')].map(visible).join('\n');

function accept(args: Arguments, env: NodeJS.ProcessEnv): Promise<number> {
  args.allowOnly('policy accept', ADDRESS_FLAGS);
  return withGateway(gatewayAddress(args, env), async ({ client }) => {
    const { changed } = await client.connection.request('console/rules', {});
    await client.connection.request('console/acceptRules', { changed });
    const result = changed.length > 0 ? 'The changed rules now apply.' : 'No rules have changed.';
    await print([...changed.map(changeText), result].join('\n\n'));
    return ExitCode.ok;
  });
}

function rulesFor(args: Arguments, env: NodeJS.ProcessEnv): RuleSet {
  const own = join(stateDirOf(args.text('state-dir'), env), 'rules');
  const others = args.texts('rules').map((path) => resolve(path));
  for (const path of others)
    if (!existsSync(path)) throw new UsageError(`--rules ${path}: this file or folder does not exist`);
  const paths = [...others, own];
  try {
    const texts = Object.assign({}, ...paths.map(readRules)) as ReturnType<typeof readRules>;
    return new RuleSet(rulesIn(texts), env['PATH']);
  } catch (error) {
    if (error instanceof BrokenRules)
      throw new CommandFailed(
        ExitCode.failed,
        `${error.message}\nuntil this is fixed, every agent command waits for approval`,
      );
    throw error;
  }
}

/**
 * Returns the rule files in the state folder that differ from the accepted ones; none if no gateway has used the folder
 * yet.
 */
function unapplied(args: Arguments, env: NodeJS.ProcessEnv): readonly string[] {
  const stateDir = stateDirOf(args.text('state-dir'), env);
  const folder = join(stateDir, 'rules');
  const accepted = new ApprovalStore(stateDir).stored.rules[folder];
  return accepted ? differences(accepted, readRules(folder)).map(({ file }) => file) : [];
}

const VERDICTS = { run: 'runs', ask: 'waits for approval', refuse: 'is refused' } as const;

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
    ...(complex === null ? [] : [visible(`Rules cannot analyse this command: ${complex}.`)]),
    ...(commands.length === 0 ? [] : [table([['DECISION', 'COMMAND'], ...commands]), '']),
    ...(rules.length === 0 ? ['No rule matches.'] : rules),
    '',
    table([['POLICY', 'COMMAND'], ...policies]),
  ].join('\n');
}
