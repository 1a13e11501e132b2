// Method records of fs/*.
import * as files from './files.ts';
import { method, owners, result, type ActWords, type Empty, type SampleNames } from './method-record.ts';

/** Access rules of methods that guests and observers cannot call. */
const ofOwners = { roles: { own: owners, any: [] }, guest: null, seen: null } as const;

const onPath =
  (act: string) =>
  ({ path }: { readonly path: string }): ActWords => ({ act, details: { path } });

const pathIn = ({ folder }: SampleNames): string => `${folder}/file`;
const samplePath = (names: SampleNames) => ({ own: { path: pathIn(names) } });
const onHandle = { handleId: 'none', offset: 0 };

export const fileRecords = {
  'fs/readFile': method({
    ...ofOwners,
    params: files.pathParams,
    result: result<{ readonly dataBase64: string }>(),
    audit: null,
    samples: samplePath,
  }),
  'fs/writeFile': method({
    ...ofOwners,
    params: files.writeFileParams,
    result: result<Empty>(),
    audit: onPath('writeFile'),
    samples: ({ folder }) => ({ own: { path: `${folder}/written`, dataBase64: '' } }),
  }),
  'fs/createDirectory': method({
    ...ofOwners,
    params: files.createDirectoryParams,
    result: result<Empty>(),
    audit: onPath('createDirectory'),
    samples: ({ folder }) => ({ own: { path: `${folder}/made` } }),
  }),
  'fs/getMetadata': method({
    ...ofOwners,
    params: files.pathParams,
    result: result<files.FileMetadata>(),
    audit: null,
    samples: samplePath,
  }),
  'fs/readDirectory': method({
    ...ofOwners,
    params: files.pathParams,
    result: result<{ readonly entries: readonly files.DirectoryEntry[] }>(),
    audit: null,
    samples: samplePath,
  }),
  'fs/canonicalize': method({
    ...ofOwners,
    params: files.pathParams,
    result: result<{ readonly path: string }>(),
    audit: null,
    samples: samplePath,
  }),
  'fs/walk': method({
    ...ofOwners,
    params: files.walkParams,
    result: result<files.WalkResult>(),
    audit: null,
    samples: (names) => ({
      own: {
        path: pathIn(names),
        options: { maxDepth: 1, maxDirectories: 1, maxEntries: 1, followDirectorySymlinks: false },
      },
    }),
  }),
  'fs/remove': method({
    ...ofOwners,
    params: files.removeParams,
    result: result<Empty>(),
    audit: onPath('removeFile'),
    samples: samplePath,
  }),
  'fs/copy': method({
    ...ofOwners,
    params: files.copyParams,
    result: result<Empty>(),
    audit: ({ sourcePath, destinationPath }) => ({
      act: 'copyFile',
      details: { from: sourcePath, path: destinationPath },
    }),
    samples: (names) => ({
      own: { sourcePath: pathIn(names), destinationPath: `${pathIn(names)}/other`, recursive: false },
    }),
  }),
  'fs/open': method({
    ...ofOwners,
    params: files.openParams,
    result: result<{ readonly handleId: string }>(),
    audit: ({ mode, path }) => (mode === 'replace' ? onPath('writeFile')({ path }) : null),
    samples: (names) => ({
      own: { path: pathIn(names), handleId: 'none' },
      harmless: { path: pathIn(names), handleId: 'none', mode: 'read' },
    }),
  }),
  'fs/readBlock': method({
    ...ofOwners,
    params: files.readBlockParams,
    result: result<{ readonly chunk: string; readonly eof: boolean }>(),
    audit: null,
    samples: () => ({ own: { ...onHandle, len: 1 } }),
  }),
  'fs/writeBlock': method({
    ...ofOwners,
    params: files.writeBlockParams,
    result: result<Empty>(),
    // Writing is not audited, since opening the file already is.
    audit: null,
    samples: () => ({ own: { ...onHandle, chunk: '' } }),
  }),
  'fs/close': method({
    ...ofOwners,
    params: files.closeParams,
    result: result<Empty>(),
    audit: null,
    samples: () => ({ own: { handleId: 'none' } }),
  }),
  'fs/watchMissing': method({
    ...ofOwners,
    params: files.watchMissingParams,
    result: result<{ readonly watching: boolean }>(),
    audit: null,
    samples: (names) => ({
      own: { watchId: 1, present: null, missing: [] },
      harmless: { watchId: 1, missing: [pathIn(names)], present: pathIn(names) },
    }),
  }),
};
