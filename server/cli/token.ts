// exec-console token: lists, creates and revokes tokens in the state folder; a running gateway applies each change.
import { dateTimeText } from '../../text/amounts.ts';
import { onceUnlocked } from '../policy/file-lock.ts';
import { openStateDir } from '../policy/state-dir.ts';
import { Shares } from '../policy/shares.ts';
import { whyNoName } from '../policy/token-name.ts';
import type { ShareRecord, TokenRecord } from '../policy/token-records.ts';
import { Tokens } from '../policy/tokens.ts';
import { ROLES } from '../../protocol/console-constants.ts';
import { visible } from '../../text/visible.ts';
import { GATEWAY_FLAGS, type Arguments } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { timeToLive } from './time-to-live.ts';
import { UsageError } from './usage-error.ts';
import { actOf, refuseSurplus } from './word-count.ts';

const USUAL_TTL = '90d';

export const token: Subcommand = {
  usage: 'token list | create NAME --role ROLE | revoke ID',
  summary: 'List, create and revoke tokens',
  help: `Works on the state folder of this machine's gateway, whether the gateway is running or not; a running gateway
applies the change within a second.`,
  acts: [
    { name: 'list', usage: 'list', about: 'List valid tokens and shares, without their secrets' },
    {
      name: 'create',
      usage: 'create NAME',
      about: 'Create a token and print it, once; NAME is what people see in the console',
    },
    {
      name: 'revoke',
      usage: 'revoke ID',
      about: 'Revoke a token or share, and everything created with it; whatever uses them is disconnected',
    },
  ],
  flags: {
    role: {
      type: 'string',
      value: 'ROLE',
      about:
        'With create (required): agent (runs its own commands), observer (views all processes), operator (controls all processes) or admin (also manages tokens)',
      completes: ROLES,
    },
    expires: {
      type: 'string',
      value: 'TIME',
      about: `With create: lifetime, such as 30m, 12h or 90d, or never (default: ${USUAL_TTL})`,
      completes: ['12h', '30d', '90d', 'never'],
    },
    'may-elicit': {
      type: 'boolean',
      about:
        "With create --role agent: the agent's own client may show waiting requests to its user and send the decision back",
    },
    'state-dir': GATEWAY_FLAGS['state-dir'],
    json: { type: 'boolean', about: 'With list: print one array. With create: print {"id", "token", …}' },
  },
  examples: ['token create ci --role agent --expires 30d', 'token list', 'token revoke MaYM2n80mL3N'],
  exitCodes: [['5', 'There is no token or share with this ID']],
  isLocal: true,
  words: 'any',
  async execute(args, env) {
    const [word, ...words] = args.words;
    const act = actOf('token', token, word);
    if (act === 'list') args.allowOnly('token list', ['state-dir', 'json']);
    if (act === 'revoke') args.allowOnly('token revoke', ['state-dir']);
    const [subject = ''] = words;
    if (act === 'list') refuseSurplus(words, 'token list [flags]');
    else if (words.length === 0) throw new UsageError(missing(act));
    refuseSurplus(words.slice(1), `token ${act === 'create' ? 'create NAME --role ROLE' : 'revoke ID'}`);
    const stateDir = stateDirOf(args.text('state-dir'), env);
    openStateDir(stateDir);
    const tokens = new Tokens(stateDir);
    if (act === 'list') await list(tokens, args);
    else if (act === 'create') await create(tokens, subject, args);
    else await revoke(tokens, subject);
    return ExitCode.ok;
  },
};

const missing = (act: string): string =>
  act === 'create'
    ? 'token create needs a name: exec-console token create NAME --role ROLE'
    : 'token revoke needs the ID of a token or share; list them with: exec-console token list';

async function list(tokens: Tokens, args: Arguments): Promise<void> {
  const all = [...tokens.list(), ...new Shares(tokens).list()];
  if (args.has('json')) {
    await printJson(all.map(shown));
    return;
  }
  const rows = all.map((each) => [
    each.id,
    'role' in each ? each.role : 'share',
    expiry(each),
    visible(
      'role' in each
        ? each.name
        : `${each.key === null ? 'all processes' : `process ${each.key}`}, shared by ${each.name}`,
    ),
  ]);
  await print(table([['ID', 'ROLE', 'EXPIRES', 'NAME'], ...rows]));
}

/** Returns the record without fields that are of no use to people or would help a thief guess the secret. */
function shown(each: TokenRecord | ShareRecord): object {
  const { id, name, kind, createdAtMs, expiresAtMs } = each;
  return 'role' in each
    ? { id, name, role: each.role, kind, createdAtMs, expiresAtMs }
    : { id, kind, key: each.key, madeBy: name, createdAtMs, expiresAtMs };
}

const expiry = ({ expiresAtMs }: TokenRecord | ShareRecord): string =>
  expiresAtMs === null ? 'never' : dateTimeText(expiresAtMs);

async function create(tokens: Tokens, name: string, args: Arguments): Promise<void> {
  const role = ROLES.find((each) => each === args.text('role'));
  if (!role)
    throw new UsageError(
      `${args.text('role') === null ? '--role is required' : `--role ${args.text('role')}`}: expected one of ${ROLES.join(', ')}`,
    );
  const why = whyNoName(name);
  if (why !== null) throw new UsageError(why);
  const mayElicit = args.has('may-elicit');
  if (mayElicit && role !== 'agent') throw new UsageError('--may-elicit needs --role agent');
  const expires = args.text('expires') ?? USUAL_TTL;
  const ttlMs = expires === 'never' ? null : timeToLive(expires, ', or never');
  const made = await onceUnlocked(() => tokens.create({ name, role, ttlMs, mayElicit }));
  const { tokenId: id, expiresAtMs } = made.identity;
  if (args.has('json')) await printJson({ id, token: made.token, name, role, expiresAtMs });
  else await print(made.token);
}

async function revoke(tokens: Tokens, id: string): Promise<void> {
  if (!(await onceUnlocked(() => tokens.revoke(id) || tokens.revokeShare(id)))) {
    throw new CommandFailed(
      ExitCode.notFound,
      `there is no token or share ${visible(id)}; list them with: exec-console token list`,
    );
  }
  await print(`revoked ${visible(id)}`);
}
