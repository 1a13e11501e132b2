// exec-console link: a fresh link to the page.
import type { LinkResult } from '../protocol/console.ts';
import { ask } from './ask.ts';
import { ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';

export const link: Subcommand = {
  usage: 'link [flags]',
  summary: 'print a fresh link to the page',
  help: `Prints a link to the page that works once, within 10 minutes. Whoever opens it is an operator.

  --json               {"url", "expiresAtMs"}`,
  flags: { json: { type: 'boolean' } },
  words: 0,
  async execute(args, env) {
    const fresh = (await ask(gatewayAddress(args, env), 'POST', '/auth/link')) as LinkResult;
    await (args.has('json') ? printJson(fresh) : print(fresh.url));
    return ExitCode.ok;
  },
};
