// exec-console share: creates a link that shows one process, or all, to anyone who has it.
import { SHARE_TTL_MS } from '../../protocol/access.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { timeToLive } from './time-to-live.ts';
import { UsageError } from './usage-error.ts';
import { refuseEmpty, refuseSurplus } from './word-count.ts';

export const share: Subcommand = {
  usage: 'share [flags] [KEY]',
  summary: 'Print a link that shows one process, or all processes',
  help: `Prints a link that gives read-only access to the process KEY and nothing else, or without KEY to all processes. It can
be opened again and again until it expires, by at most 50 guests at once. "exec-console token list" lists the shares, and
"exec-console token revoke ID" ends one and disconnects its guests at once.`,
  flags: {
    expires: {
      type: 'string',
      value: 'TIME',
      about: 'Lifetime, such as 30m, 8h or 7d, at most 7d (default: 1h)',
      completes: ['1h', '8h', '1d', '7d'],
    },
    json: { type: 'boolean', about: 'Print {"id", "url", "expiresAtMs"}' },
  },
  examples: ['share web', 'share --expires 8h web', 'share'],
  completes: 'process',
  words: 'any',
  async execute(args, env) {
    const [name, ...rest] = args.words;
    refuseSurplus(rest, share.usage);
    refuseEmpty(args.words, share.usage);
    const expires = args.text('expires');
    const ttlMs = expires === null ? SHARE_TTL_MS.default : timeToLive(expires);
    if (ttlMs > SHARE_TTL_MS.max) throw new UsageError(`--expires ${expires}: a share lasts at most 7d`);
    const made = await withGateway(gatewayAddress(args, env), async (gateway) => {
      const { client } = gateway;
      if (name === undefined) return client.connection.request('console/share', { ttlMs });
      const { key } = findProcess(await allProcesses(gateway), name);
      return client.connection.request('console/share', { key, ttlMs });
    });
    await (args.has('json') ? printJson(made) : print(made.url));
    return ExitCode.ok;
  },
};
