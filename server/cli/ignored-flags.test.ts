// Flags that do not fit one use of a command or each other: each is refused before the command does anything.
import { expect, it } from 'vitest';
import { parseWords } from './arguments.ts';
import { COMMANDS, sharedFlags } from './commands.ts';
import { UsageError } from './usage-error.ts';

/** Runs a command where there is no gateway; rejects with its error. */
async function outcomeOf(line: string): Promise<number> {
  const [name = '', ...argv] = line.split(' ');
  const command = COMMANDS.get(name);
  if (!command) throw new Error(`there is no command ${name}`);
  const args = parseWords(argv, { ...command.flags, ...sharedFlags(command) }, name);
  return command.execute(args, { HOME: '/nowhere' }, argv);
}

it.each([
  ['history rm --agent claude --failed', 'history rm has no flag --failed, only --before, --agent, --json, '],
  ['history rm --agent claude --since 2h', 'history rm has no flag --since'],
  ['history rm web --folder .', 'history rm has no flag --folder'],
  ['history rm web --quiet', 'history rm has no flag --quiet'],
  ['history --quiet --json', 'use either --quiet or --json, not both'],
  ['ps --quiet --json', 'use either --quiet or --json, not both'],
  ['approvals --watch --all', 'use either --all or --watch, not both'],
  ['token list --role agent', 'token list has no flag --role, only --state-dir and --json'],
  ['token revoke x --json', 'token revoke has no flag --json, only --state-dir'],
  ['keeper stop --json', 'keeper stop has no flag --json, only --state-dir'],
  ['policy check --agent ci ls', 'policy check has no flag --agent, only --rules, --json, and --state-dir'],
  ['policy check --url ws://other ls', 'policy check has no flag --url'],
  ['policy set never --json', 'policy set has no flag --json'],
  ['policy rules --agent ci', 'policy rules has no flag --agent'],
  ['policy accept --rules x', 'policy accept has no flag --rules'],
  ['connect claude --print --yes', 'use either --print or --yes, not both'],
  ['pause --agent a --session b', 'use either --agent or --session, not both'],
  ['pause --thread x', '--thread needs --session LABEL, the session of the thread'],
  ['pause --agent a --thread x', '--thread needs --session LABEL'],
  ['shell --path --model x', 'shell --path, --folder or --prefix-path has no flag --model'],
])('[CL14] exec-console %s is refused', async (line, message) => {
  const outcome = outcomeOf(line);
  await expect(outcome).rejects.toThrow(message);
  await expect(outcome).rejects.toBeInstanceOf(UsageError);
});
