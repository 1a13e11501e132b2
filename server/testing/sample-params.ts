// Params of every method that its decoder takes, for tests that go over all of them: about one's own, and about any process.
import type { RequestMethod } from '../../protocol/methods.ts';

export interface Samples {
  readonly own?: object;
  readonly any?: object;
}

/** `key` and `processId` name what the test likes; what is written or removed lies in `folder`, a file URI. */
export function sampleParams(
  key: string,
  processId: string,
  folder: string,
): { readonly [M in RequestMethod]: Samples } {
  const path = `${folder}/none`;
  const start = { processId: `new of ${processId}`, argv: ['true'], cwd: folder, env: {}, tty: false };
  const write = { chunk: '', writeId: 'sample' };
  const both = (more: object): Samples => ({ own: { processId, ...more }, any: { key, ...more } });
  const onHandle = { handleId: 'none', offset: 0 };
  return {
    initialize: { own: { clientName: 'sample' } },
    'environment/info': { own: {} },
    'environment/status': { own: {} },
    'process/start': { own: start, any: { ...start, processId: 'of the console', session: 'console' } },
    'process/read': both({}),
    'process/write': both(write),
    'process/signal': both({ signal: 'interrupt' }),
    'process/terminate': both({}),
    'environmentConfig/read': { own: { cwd: folder, configPaths: [['a']], requirementsPaths: [] } },
    'http/request': { own: { method: 'GET', url: 'http://127.0.0.1:1/', headers: [], requestId: 'r' } },
    'fs/readFile': { own: { path } },
    'fs/writeFile': { own: { path: `${folder}/written`, dataBase64: '' } },
    'fs/createDirectory': { own: { path: `${folder}/made` } },
    'fs/getMetadata': { own: { path } },
    'fs/readDirectory': { own: { path } },
    'fs/canonicalize': { own: { path } },
    'fs/walk': {
      own: {
        path,
        options: { maxDepth: 1, maxDirectories: 1, maxEntries: 1, followDirectorySymlinks: false },
      },
    },
    'fs/remove': { own: { path } },
    'fs/copy': { own: { sourcePath: path, destinationPath: `${path}/other`, recursive: false } },
    'fs/open': { own: { path, handleId: 'none' } },
    'fs/readBlock': { own: { ...onHandle, len: 1 } },
    'fs/writeBlock': { own: { ...onHandle, chunk: '' } },
    'fs/close': { own: { handleId: 'none' } },
    'fs/watchMissing': { own: { watchId: 1, present: null, missing: [] } },
    'process/restart': { any: { key, newProcessId: 'again' } },
    'process/attach': { any: { key } },
    'process/detach': { any: { key } },
    'process/ack': { any: { key, seq: 0 } },
    'process/control': { any: { key, take: true } },
    'process/resize': both({ rows: 2, cols: 2 }),
    'process/closeStdin': both({}),
    'process/wait': both({ waitMs: 0 }),
    'process/snapshot': { any: { key } },
    'console/usage': { own: { keys: [key] } },
    'console/tiles': { own: { keys: [key] } },
    'console/look': { own: { keys: [key] } },
    'console/search': { own: { query: 'e', keys: [key] } },
    'console/audit': { own: {}, any: { key } },
    'console/watch': { own: {} },
    'console/unwatch': { own: {} },
    'console/tokens': { own: {} },
    'console/createToken': { own: { name: 'sample', role: 'agent', ttlMs: 1000 } },
    'console/revokeToken': { own: { id: 'none' } },
    'console/share': { own: { ttlMs: 1000 }, any: { key, ttlMs: 1000 } },
    'console/shares': { own: {} },
    'console/revokeShare': { own: { id: 'none' } },
  };
}
