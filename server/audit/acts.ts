// Which requests are acts that somebody may have to answer for, and what is kept of each.
import { masked } from '../../text/masking.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import type { Act } from './audit.ts';

type What = Pick<Act, 'act' | 'key' | 'details'>;

/** The members of params or of a result, whichever method they are of. */
type Members = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A command line is kept as far as it tells anything, and so is everything else that a client can make long. */
const LONGEST_ARGUMENT = 1000;
const MOST_ARGUMENTS = 100;
const LONGEST_COMMAND = 8000;
const LONGEST_TEXT = 4096;

type Tell = (params: Members, result: Members) => What | null;

const onFile =
  (act: string): Tell =>
  ({ path }) => ({ act, key: null, details: { path: text(path) } });

/** Null for what nobody has to answer for: looking, asking, reading; and for what is part of something that is here. */
const ACTS: { readonly [M in RequestMethod]: Tell | null } = {
  'process/start': ({ argv, cwd, session, like }, { key, sandboxType }) => ({
    act: 'start',
    key: text(key),
    details: {
      argv: commandLine(argv),
      cwd: text(cwd),
      ...(session === 'console' && { session }),
      ...(like !== undefined && { like }),
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
  'fs/writeFile': onFile('writeFile'),
  'fs/createDirectory': onFile('createDirectory'),
  'fs/remove': onFile('removeFile'),
  'fs/copy': ({ sourcePath, destinationPath }) => ({
    act: 'copyFile',
    key: null,
    details: { from: text(sourcePath), path: text(destinationPath) },
  }),
  'fs/open': (params, result) => (params['mode'] === 'replace' ? onFile('writeFile')(params, result) : null),
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
  // What is typed is counted (AD2).
  'process/write': null,
  // To what was opened, which is here.
  'fs/writeBlock': null,
  'fs/close': null,
  initialize: null,
  'environment/info': null,
  'environment/status': null,
  'environmentConfig/read': null,
  'process/read': null,
  'process/detach': null,
  'process/ack': null,
  'process/wait': null,
  'process/snapshot': null,
  'fs/readFile': null,
  'fs/getMetadata': null,
  'fs/readDirectory': null,
  'fs/canonicalize': null,
  'fs/walk': null,
  'fs/readBlock': null,
  'fs/watchMissing': null,
  'console/usage': null,
  'console/tiles': null,
  'console/look': null,
  'console/search': null,
  'console/audit': null,
  'console/watch': null,
  'console/unwatch': null,
  'console/tokens': null,
  'console/shares': null,
};

/** Null for what is not on record by itself. */
export function actOf(method: RequestMethod, params: unknown, result: unknown): What | null {
  const what = ACTS[method]?.(params as Members, (result ?? {}) as Members);
  if (!what?.details) return what ?? null;
  const short = Object.entries(what.details).map(([name, value]) => [
    name,
    typeof value === 'string' ? masked(value.slice(0, LONGEST_COMMAND)).slice(0, LONGEST_TEXT) : value,
  ]);
  return { ...what, details: Object.fromEntries(short) as Members };
}

/** Covered before it is cut, or half of a secret would look like none. */
function commandLine(argv: unknown): string[] {
  const shown: string[] = [];
  let room = LONGEST_COMMAND;
  for (const argument of Array.isArray(argv) ? argv.slice(0, MOST_ARGUMENTS) : []) {
    const covered = masked(text(argument).slice(0, LONGEST_COMMAND));
    if (room > 0) shown.push(covered.slice(0, Math.min(LONGEST_ARGUMENT, room)));
    room -= covered.length + 1;
  }
  return shown;
}

/** What stands behind the path, or before the host, may be a secret. */
const withoutSecrets = (text: string): string => {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname;
};
