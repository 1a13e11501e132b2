// Surplus, missing, empty and unknown words of a command line, each of which an error names.
import { afterEach, expect, it, vi } from 'vitest';
import { runCommand } from './commands.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['ps foo', 'unexpected argument "foo"; usage: exec-console ps [flags]'],
  ['pause a b', 'unexpected arguments "a" and "b"; usage: exec-console pause [flags]'],
  ['logs one two', 'unexpected argument "two"; usage: exec-console logs [flags] KEY'],
  ['attach', 'attach needs KEY; usage: exec-console attach [flags] KEY'],
  ['signal', 'signal needs KEY and SIGNAL; usage: exec-console signal [flags] KEY SIGNAL'],
  ['signal web', 'signal needs SIGNAL; usage: exec-console signal [flags] KEY SIGNAL'],
  ['run --tty', 'run needs COMMAND; usage: exec-console run [flags] [--] COMMAND [ARGUMENT…]'],
  ['search', 'search needs TEXT; usage: exec-console search [flags] TEXT'],
  ['connect', 'connect needs an argument; usage: exec-console connect claude|'],
  ['help frob', 'unknown command "frob"\nRun "exec-console --help" for the list of commands.\n'],
  [
    'help stpo',
    'unknown command "stpo"; did you mean stop?\nRun "exec-console --help" for the list of commands.\n',
  ],
  ['help stop now', 'unexpected argument "now"; usage: exec-console help [COMMAND]'],
  ['completion', 'completion needs SHELL; usage: exec-console completion SHELL'],
  ['completion constructor', 'completion constructor: expected one of bash, zsh, fish'],
  ['unpause a b', 'unexpected argument "b"; usage: exec-console unpause [flags] [ID]'],
  ['share a b', 'unexpected argument "b"; usage: exec-console share [flags] [KEY]'],
  ['history web', 'unexpected argument "web"; usage: exec-console history [flags] | rm KEY'],
  ['history rm a b', 'unexpected argument "b"; usage: exec-console history [flags] | rm KEY'],
  ['keeper', 'keeper needs status or stop; usage: exec-console keeper status | stop'],
  ['keeper stopp', 'keeper stopp: expected one of status, stop; did you mean stop?'],
  ['keeper stop now', 'unexpected argument "now"; usage: exec-console keeper status | stop'],
  ['policy', 'policy needs check, set, rules, or accept; usage: exec-console policy check [flags]'],
  ['policy chek ls', 'policy chek: expected one of check, set, rules, accept; did you mean check?'],
  ['policy rules x', 'unexpected argument "x"; usage: exec-console policy rules [flags]'],
  ['policy check', 'policy check needs a command: exec-console policy check -- COMMAND…'],
  ['token', 'token needs list, create, or revoke; usage: exec-console token list | create NAME'],
  ['token create a b --role agent', 'unexpected argument "b"; usage: exec-console token create NAME --role'],
  ['share --expires soon', '--expires soon: expected a duration, such as 30m, 12h or 7d\n'],
  ['share --expires never', '--expires never: expected a duration, such as 30m, 12h or 7d\n'],
  ['stop ', 'argument 1 is empty; usage: exec-console stop [flags] KEY'],
  ['signal  INT', 'argument 1 is empty; usage: exec-console signal [flags] KEY SIGNAL'],
  ['share ', 'argument 1 is empty; usage: exec-console share [flags] [KEY]'],
  ['history rm ', 'argument 2 is empty; usage: exec-console history [flags] | rm KEY'],
  ['unpause ', 'argument 1 is empty; usage: exec-console unpause [flags] [ID]'],
  ['ps --url foo', '--url foo: expected the URL of a gateway, such as ws://127.0.0.1:7420'],
  ['token list x', 'unexpected argument "x"; usage: exec-console token list [flags]'],
])('exec-console %s exits with 2: %s', async (line, message) => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const [name = '', ...argv] = line.split(' ');
  expect(await runCommand(name, argv, { HOME: '/nowhere' })).toBe(2);
  expect(printed.mock.calls.join('')).toContain(`exec-console: ${message}`);
});
