// exec-console token: who may come in, made and revoked in the state folder; a running gateway notices within a second.
import { openStateDir } from '../auth/state-dir.ts';
import { Tokens, type TokenInfo } from '../auth/tokens.ts';
import type { Role } from '../protocol/session.ts';
import type { Arguments } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { printable } from './notes.ts';
import { print, printJson } from './print.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const ROLES: readonly Role[] = ['agent', 'observer', 'operator', 'admin'];
const LONGEST_NAME = 64;
const UNITS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const USUAL_TTL = '90d';

export const token: Subcommand = {
  usage: 'token list | create NAME --role ROLE | revoke ID [flags]',
  summary: 'list, make and revoke tokens',
  help: `Who may come in. Works on the state folder of this machine's gateway, whether it runs or not.

  list                 all tokens that are good, without the tokens themselves
  create NAME          makes one and prints it, once; NAME is who people see at the console
    --role ROLE        agent: runs its own commands; observer: looks; operator: acts on all; admin: tokens, too
    --expires TIME     as 30m, 12h, 90d, or never (default ${USUAL_TTL})
  revoke ID            ends one: whoever is connected with it is disconnected at once

  --json               of a list: one array; of a new token: {"id", "token", …}`,
  flags: { role: { type: 'string' }, expires: { type: 'string' }, json: { type: 'boolean' } },
  words: 'any',
  async execute(args, env) {
    if (args.text('url') !== null) throw new UsageError('tokens are kept on the machine of the gateway');
    const stateDir = stateDirOf(args.text('state-dir'), env);
    openStateDir(stateDir);
    const tokens = new Tokens(stateDir);
    const [act, subject, ...rest] = args.words;
    if (rest.length === 0 && act === 'list' && subject === undefined) await list(tokens, args);
    else if (rest.length === 0 && act === 'create' && subject !== undefined)
      await create(tokens, subject, args);
    else if (rest.length === 0 && act === 'revoke' && subject !== undefined) await revoke(tokens, subject);
    else throw new UsageError('expected: exec-console token list, token create NAME or token revoke ID');
    return ExitCode.ok;
  },
};

async function list(tokens: Tokens, args: Arguments): Promise<void> {
  const all = tokens.list();
  if (args.has('json')) return printJson(all);
  const rows = all.map((each) => [each.id, each.role, expiry(each), printable(each.name)]);
  const lines = [['ID', 'ROLE', 'EXPIRES', 'NAME'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return print(
    lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n'),
  );
}

const expiry = ({ expiresAtMs }: TokenInfo): string =>
  expiresAtMs === null ? 'never' : new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ');

async function create(tokens: Tokens, name: string, args: Arguments): Promise<void> {
  const role = ROLES.find((each) => each === args.text('role'));
  if (!role) throw new UsageError(`--role: expected one of ${ROLES.join(', ')}`);
  if (name.length > LONGEST_NAME || printable(name) !== name || name.trim() === '') {
    throw new UsageError(
      `a name is what people see: at most ${LONGEST_NAME} characters, none of them hidden`,
    );
  }
  const made = tokens.create({ name, role, ttlMs: ttlOf(args.text('expires') ?? USUAL_TTL) });
  const { tokenId: id, expiresAtMs } = made.identity;
  if (args.has('json')) await printJson({ id, token: made.token, name, role, expiresAtMs });
  else await print(made.token);
}

function ttlOf(text: string): number | null {
  if (text === 'never') return null;
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError(`--expires ${printable(text)}: expected 30m, 12h, 90d or never`);
  return Number(count) * (UNITS[unit] ?? 0);
}

async function revoke(tokens: Tokens, id: string): Promise<void> {
  if (!tokens.revoke(id)) {
    throw new CommandFailed(
      ExitCode.notFound,
      `there is no token ${printable(id)}; see exec-console token list`,
    );
  }
  await print(`revoked ${id}`);
}
