// exec-console link: prints a new sign-in link to the page.
import { whyNoName } from '../policy/token-name.ts';
import type { LinkResult } from '../../protocol/access.ts';
import { ask } from './ask.ts';
import { ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const LINK_ROLES = ['observer', 'operator', 'admin'];

export const link: Subcommand = {
  usage: 'link [flags]',
  summary: 'Print a new sign-in link',
  help: 'Prints a sign-in link to the page. The link works once and expires after 10 minutes.',
  flags: {
    role: {
      type: 'string',
      value: 'ROLE',
      about:
        "Role of the person who opens it: observer, operator or admin (default: operator). It cannot exceed your own; on the gateway's machine you are an admin",
      completes: LINK_ROLES,
    },
    name: {
      type: 'string',
      value: 'NAME',
      about:
        'Name shown to others and in the audit log (default: the role, with a number if that name is taken)',
    },
    json: { type: 'boolean', about: 'Print {"url", "expiresAtMs"}' },
  },
  examples: ['link', 'link --name Ada', 'link --role admin'],
  words: 0,
  async execute(args, env) {
    const role = args.text('role') ?? 'operator';
    if (!LINK_ROLES.includes(role))
      throw new UsageError(`--role ${role}: expected one of ${LINK_ROLES.join(', ')}`);
    const name = args.text('name');
    const whyNot = name === null ? null : whyNoName(name);
    if (whyNot !== null) throw new UsageError(`--name: ${whyNot}`);
    const wanted = new URLSearchParams({ role, ...(name !== null && { name }) });
    const fresh = (await ask(
      gatewayAddress(args, env),
      'POST',
      `/auth/link?${wanted.toString()}`,
    )) as LinkResult;
    await (args.has('json') ? printJson(fresh) : print(fresh.url));
    return ExitCode.ok;
  },
};
