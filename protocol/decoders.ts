// The check of every request's params, one entry a method; what has no handler yet is checked all the same.
import { z } from 'zod';
import * as access from './access.ts';
import * as command from './command.ts';
import { auditParams } from './audit.ts';
import * as ours from './console.ts';
import { environmentConfigReadParams } from './environment-config.ts';
import * as files from './files.ts';
import { httpRequestParams } from './http.ts';
import type { RequestMethod, Requests } from './methods.ts';
import * as process from './process.ts';
import { noParams } from './scalars.ts';
import * as session from './session.ts';

/** Either the params, or a sentence that names the field and what is wrong with it. */
type Decoded<P> = { readonly ok: true; readonly params: P } | { readonly ok: false; readonly reason: string };
export type Decoder<P> = (params: unknown) => Decoded<P>;

function decoder<S extends z.ZodType>(schema: S): Decoder<z.output<S>> {
  return (params) => {
    const parsed = schema.safeParse(params);
    return parsed.success ? { ok: true, params: parsed.data } : { ok: false, reason: explain(parsed.error) };
  };
}

function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'params are not valid';
  const field = issue.path.length > 0 ? `params.${issue.path.join('.')}` : 'params';
  return `${field}: ${issue.message}`;
}

/** Addressed by `processId` (one's own session) or by `key` (any process): exactly one of the two. */
function addressed<O extends z.ZodType, K extends z.ZodType>(
  own: O,
  byKey: K,
): Decoder<z.output<O> | z.output<K>> {
  const decodeOwn = decoder(own);
  const decodeByKey = decoder(byKey);
  return (params) => {
    const given = typeof params === 'object' && params !== null ? params : {};
    if (!('key' in given)) return decodeOwn(params);
    if ('processId' in given) return { ok: false, reason: 'params: give either processId or key, not both' };
    return decodeByKey(params);
  };
}

export const decoders = {
  initialize: decoder(session.initializeParams),
  'environment/info': decoder(noParams),
  'environment/status': decoder(noParams),
  'process/start': decoder(ours.startParams),
  'process/read': addressed(process.readParams, ours.byKey.read),
  'process/write': addressed(process.writeParams, ours.byKey.write),
  'process/signal': addressed(process.signalParams, ours.byKey.signal),
  'process/terminate': addressed(process.terminateParams, ours.byKey.terminate),
  'environmentConfig/read': decoder(environmentConfigReadParams),
  'http/request': decoder(httpRequestParams),
  'fs/readFile': decoder(files.pathParams),
  'fs/writeFile': decoder(files.writeFileParams),
  'fs/createDirectory': decoder(files.createDirectoryParams),
  'fs/getMetadata': decoder(files.pathParams),
  'fs/readDirectory': decoder(files.pathParams),
  'fs/canonicalize': decoder(files.pathParams),
  'fs/walk': decoder(files.walkParams),
  'fs/remove': decoder(files.removeParams),
  'fs/copy': decoder(files.copyParams),
  'fs/open': decoder(files.openParams),
  'fs/readBlock': decoder(files.readBlockParams),
  'fs/writeBlock': decoder(files.writeBlockParams),
  'fs/close': decoder(files.closeParams),
  'fs/watchMissing': decoder(files.watchMissingParams),
  'process/restart': decoder(ours.restartParams),
  'process/attach': decoder(ours.attachParams),
  'process/detach': decoder(ours.detachParams),
  'process/ack': decoder(ours.ackParams),
  'process/control': decoder(ours.controlParams),
  'process/resize': addressed(ours.resizeParams.own, ours.resizeParams.byKey),
  'process/closeStdin': addressed(ours.closeStdinParams.own, ours.closeStdinParams.byKey),
  'process/wait': addressed(ours.waitParams.own, ours.waitParams.byKey),
  'process/snapshot': decoder(ours.snapshotParams),
  'console/usage': decoder(ours.usageParams),
  'console/tiles': decoder(ours.tilesParams),
  'console/look': decoder(ours.lookParams),
  'console/search': decoder(ours.searchParams),
  'console/audit': decoder(auditParams),
  'console/watch': decoder(ours.watchParams),
  'console/unwatch': decoder(ours.unwatchParams),
  'console/tokens': decoder(noParams),
  'console/createToken': decoder(access.createTokenParams),
  'console/revokeToken': decoder(access.revokeTokenParams),
  'console/share': decoder(access.shareParams),
  'console/shares': decoder(noParams),
  'console/revokeShare': decoder(access.revokeShareParams),
} satisfies { [M in RequestMethod]: Decoder<Requests[M]['params']> };

/** What every agent asks first. */
const FIRST_ASKED: Partial<{ readonly [M in RequestMethod]: Requests[M]['params'] }> = {
  initialize: { clientName: '' },
  'process/start': { processId: '', argv: [''], cwd: 'file:///', env: {}, tty: false },
  'process/read': { processId: '', afterSeq: 0, maxBytes: 0, waitMs: 0 },
  'process/write': { processId: '', chunk: '', writeId: '0' },
};

/** The first check of a shape builds it, which takes up to 1.5 ms: done before anybody waits for the answer. */
export function readyDecoders(): void {
  for (const [method, params] of Object.entries(FIRST_ASKED)) {
    const decoded = decoders[method as RequestMethod](params);
    if (!decoded.ok) throw new Error(`invariant violation: ${method}: ${decoded.reason}`);
  }
}

/** The first dialect's. */
export const commandDecoders = {
  'command/exec': decoder(command.execParams),
  'command/exec/write': decoder(command.writeParams),
  'command/exec/terminate': decoder(command.terminateParams),
} satisfies {
  [M in keyof command.CommandRequests]: Decoder<command.CommandRequests[M]['params']>;
};
