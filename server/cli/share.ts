// exec-console share: a link that shows one process, or all, to whoever has it.
import { SHARE_TTL_MS } from '../../protocol/access.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { timeToLive } from './time-to-live.ts';
import { UsageError } from './usage-error.ts';

export const share: Subcommand = {
  usage: 'share [KEY] [flags]',
  summary: 'print a link that shows one process, or all',
  help: `Prints a link for somebody who is only to look: at the process KEY and nothing else, or without KEY at all of
them. It can be opened again and again until it ends, and has 50 guests at once. exec-console token list names the
links that are good, and exec-console token revoke ID ends one, at once for whoever looks by it.

  --expires TIME       as 30m, 8h or 7d, which is the longest (default 1h)
  --json               {"id", "url", "expiresAtMs"}`,
  flags: { expires: { type: 'string' }, json: { type: 'boolean' } },
  words: 'any',
  async execute(args, env) {
    const [name, ...rest] = args.words;
    if (rest.length > 0) throw new UsageError('expected: exec-console share [KEY]');
    const expires = args.text('expires');
    const ttlMs = expires === null ? SHARE_TTL_MS.default : timeToLive(expires);
    if (ttlMs === null || ttlMs > SHARE_TTL_MS.max) throw new UsageError('a share lasts at most 7d');
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
