// Which requests are acts that somebody may have to answer for, and what is kept of each.
import { masked } from '../protocol/masking.ts';
import type { RequestMethod } from '../protocol/methods.ts';
import type { Act } from './audit.ts';

type What = Pick<Act, 'act' | 'key' | 'details'>;

/** The members of params or of a result, whichever method they are of. */
type Members = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A command line is kept as far as it tells anything. */
const LONGEST_ARGUMENT = 1000;
const MOST_ARGUMENTS = 100;

const ACTS: { readonly [M in RequestMethod]?: (params: Members, result: Members) => What } = {
  'process/start': ({ argv, cwd, session }, { key, sandboxType }) => ({
    act: 'start',
    key: text(key),
    details: {
      argv: Array.isArray(argv)
        ? argv.slice(0, MOST_ARGUMENTS).map((each) => masked(text(each)).slice(0, LONGEST_ARGUMENT))
        : [],
      cwd: text(cwd),
      ...(session === 'console' && { session }),
      ...(typeof sandboxType === 'string' && sandboxType !== 'none' && { sandbox: sandboxType }),
    },
  }),
  'process/restart': ({ key: restartOf }, { key }) => ({
    act: 'restart',
    key: text(key),
    details: { restartOf },
  }),
  'process/attach': ({ key }) => ({ act: 'attach', key: text(key) }),
  'process/control': ({ key, take, to }) => ({
    act: take === true ? 'takeControl' : 'giveUpControl',
    key: text(key),
    ...(to !== undefined && { details: { to } }),
  }),
  'process/resize': ({ key, rows, cols }) => ({ act: 'resize', key: text(key), details: { rows, cols } }),
  'process/signal': ({ key, signal }) => ({ act: 'signal', key: text(key), details: { signal } }),
  'process/terminate': ({ key, graceMs, escaped }, { running }) => ({
    act: 'terminate',
    key: text(key),
    details: {
      ...(running !== undefined && { running }),
      ...(graceMs !== undefined && { graceMs }),
      ...(escaped === true && { escaped }),
    },
  }),
  'process/closeStdin': ({ key }) => ({ act: 'closeStdin', key: text(key) }),
  'http/request': ({ method, url }) => ({
    act: 'httpRequest',
    key: null,
    details: { method: text(method), url: withoutSecrets(text(url)) },
  }),
  'fs/writeFile': ({ path }) => ({ act: 'writeFile', key: null, details: { path: text(path) } }),
  'console/createToken': ({ name, role }, { id, expiresAtMs }) => ({
    act: 'createToken',
    key: null,
    details: { id, name, role, expiresAtMs },
  }),
  'console/revokeToken': ({ id }) => ({ act: 'revokeToken', key: null, details: { id } }),
  'console/share': ({ key }, { id, expiresAtMs }) => ({
    act: 'share',
    key: typeof key === 'string' ? key : null,
    details: { id, expiresAtMs },
  }),
  'console/revokeShare': ({ id }) => ({ act: 'revokeShare', key: null, details: { id } }),
  'fs/remove': ({ path }) => ({ act: 'removeFile', key: null, details: { path: text(path) } }),
};

/** Null for what nobody has to answer for: looking, asking, reading. */
export function actOf(method: RequestMethod, params: unknown, result: unknown): What | null {
  return ACTS[method]?.(params as Members, (result ?? {}) as Members) ?? null;
}

/** What stands behind the path, or before the host, may be a secret. */
const withoutSecrets = (text: string): string => {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname;
};
