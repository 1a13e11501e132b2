// The contract on one page: every method and notification, its params and its result.
import type { z } from 'zod';
import type * as access from './access.ts';
import type * as audit from './audit.ts';
import type * as ours from './console.ts';
import type * as looks from './looks.ts';
import type * as config from './environment-config.ts';
import type * as files from './files.ts';
import type * as http from './http.ts';
import type * as process from './process.ts';
import type * as session from './session.ts';

type Params<S extends z.ZodType> = z.output<S>;
type Own<S extends { own: z.ZodType; byKey: z.ZodType }> = Params<S['own']> | Params<S['byKey']>;
type Empty = Record<string, never>;

/** name → params, result. A `process/*` request is addressed by `processId` (one's own) or by `key` (any). */
export interface Requests {
  initialize: { params: session.InitializeParams; result: session.InitializeResult };
  'environment/info': { params: unknown; result: session.EnvironmentInfo };
  'environment/status': { params: unknown; result: session.EnvironmentStatus };

  'process/start': {
    params: Params<typeof ours.startParams>;
    result: ours.StartResult;
  };
  'process/read': {
    params: Params<typeof process.readParams> | Params<typeof ours.byKey.read>;
    result: process.ReadResult | ours.ReadByKeyResult;
  };
  'process/write': {
    params: Params<typeof process.writeParams> | Params<typeof ours.byKey.write>;
    result: process.WriteResult;
  };
  'process/signal': {
    params: Params<typeof process.signalParams> | Params<typeof ours.byKey.signal>;
    result: Empty;
  };
  'process/terminate': {
    params: Params<typeof process.terminateParams> | Params<typeof ours.byKey.terminate>;
    result: process.TerminateResult;
  };

  'environmentConfig/read': {
    params: Params<typeof config.environmentConfigReadParams>;
    result: config.EnvironmentConfig;
  };
  'http/request': { params: http.HttpRequest; result: http.HttpResponse };

  'fs/readFile': { params: Params<typeof files.pathParams>; result: { readonly dataBase64: string } };
  'fs/writeFile': { params: Params<typeof files.writeFileParams>; result: Empty };
  'fs/createDirectory': { params: Params<typeof files.createDirectoryParams>; result: Empty };
  'fs/getMetadata': { params: Params<typeof files.pathParams>; result: files.FileMetadata };
  'fs/readDirectory': {
    params: Params<typeof files.pathParams>;
    result: { readonly entries: readonly files.DirectoryEntry[] };
  };
  'fs/canonicalize': { params: Params<typeof files.pathParams>; result: { readonly path: string } };
  'fs/walk': { params: Params<typeof files.walkParams>; result: files.WalkResult };
  'fs/remove': { params: Params<typeof files.removeParams>; result: Empty };
  'fs/copy': { params: Params<typeof files.copyParams>; result: Empty };
  'fs/open': { params: Params<typeof files.openParams>; result: { readonly handleId: string } };
  'fs/readBlock': {
    params: Params<typeof files.readBlockParams>;
    result: { readonly chunk: string; readonly eof: boolean };
  };
  'fs/writeBlock': { params: Params<typeof files.writeBlockParams>; result: Empty };
  'fs/close': { params: Params<typeof files.closeParams>; result: Empty };
  'fs/watchMissing': {
    params: Params<typeof files.watchMissingParams>;
    result: { readonly watching: boolean };
  };

  'process/restart': { params: Params<typeof ours.restartParams>; result: ours.StartResult };
  'process/attach': { params: Params<typeof ours.attachParams>; result: ours.AttachResult };
  'process/detach': { params: Params<typeof ours.detachParams>; result: Empty };
  'process/ack': { params: Params<typeof ours.ackParams>; result: Empty };
  'process/control': { params: Params<typeof ours.controlParams>; result: Empty };
  'process/resize': { params: Own<typeof ours.resizeParams>; result: Empty };
  'process/closeStdin': { params: Own<typeof ours.closeStdinParams>; result: ours.CloseStdinResult };
  'process/wait': { params: Own<typeof ours.waitParams>; result: ours.WaitResult };
  'process/snapshot': { params: Params<typeof ours.snapshotParams>; result: ours.SnapshotResult };
  'console/usage': { params: Params<typeof ours.usageParams>; result: { readonly supported: boolean } };
  'console/tiles': { params: Params<typeof ours.tilesParams>; result: Empty };
  'console/look': { params: Params<typeof ours.lookParams>; result: Empty };
  'console/search': { params: Params<typeof ours.searchParams>; result: looks.SearchResult };
  'console/audit': { params: Params<typeof audit.auditParams>; result: audit.AuditResult };
  'console/watch': { params: Params<typeof ours.watchParams>; result: ours.WatchResult };
  'console/unwatch': { params: unknown; result: Empty };
  'console/tokens': { params: unknown; result: access.TokensResult };
  'console/createToken': {
    params: Params<typeof access.createTokenParams>;
    result: access.CreateTokenResult;
  };
  'console/revokeToken': { params: Params<typeof access.revokeTokenParams>; result: Empty };
  'console/share': { params: Params<typeof access.shareParams>; result: access.ShareResult };
  'console/shares': { params: unknown; result: access.SharesResult };
  'console/revokeShare': { params: Params<typeof access.revokeShareParams>; result: Empty };
}

export type RequestMethod = keyof Requests;

/** Server to client. */
export interface Notifications {
  'process/output': process.OutputEvent;
  'process/exited': process.ExitedEvent;
  'process/closed': process.ClosedEvent;
  'http/request/bodyDelta': http.BodyDelta;
  'fs/missingChanged': { readonly watchId: number };
  'process/gap': ours.GapEvent;
  'process/resized': ours.ResizedEvent;
  'console/changed': ours.ConsoleChanged;
  'console/tilesChanged': { readonly tiles: readonly looks.Tile[] };
  'console/usageChanged': { readonly usage: readonly looks.ProcessUsage[] };
}

export type NotificationMethod = keyof Notifications;
