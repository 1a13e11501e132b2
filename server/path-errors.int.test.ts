// Tests that an invalid path in any field never yields a defect, and that a sandbox's errors name the field.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workspaceWrite } from './testing/intents.ts';
import { samplesOf } from '../protocol/records.ts';
import { TestServer } from './testing/test-server.ts';

const dir = mkdtempSync(join(tmpdir(), 'path-errors-'));
const uri = (...names: string[]): string => pathToFileURL(join(dir, ...names)).href;

const PATHS = {
  'below a file': uri('file', 'below'),
  'deep below a file': uri('file', 'deep', 'below'),
  'a loop of links': uri('loop'),
  'below a loop of links': uri('loop', 'below'),
  'a link to a path below a file': uri('to-below'),
  'a name that is too long': uri('n'.repeat(300)),
  'a path that is too long': uri(...Array.from({ length: 30 }, () => 'p'.repeat(200))),
  'a file where a folder is expected': uri('file'),
  'a folder where a file is expected': uri('folder'),
  'a NUL': `${uri()}/a%00b`,
  'an encoded slash': `${uri()}/a%2Fb`,
  'not UTF-8': `${uri()}/a%FFb`,
  'another host': 'file://elsewhere/a',
  'another scheme': 'http://127.0.0.1/a',
};

let servers: readonly [TestServer, TestServer];
beforeAll(async () => {
  symlinkSync('loop', join(dir, 'loop'));
  symlinkSync('file/below', join(dir, 'to-below'));
  servers = [await TestServer.start(), await TestServer.start({}, { sandbox: 'workspace-write' })];
});
// Some of the methods remove these files.
beforeEach(() => {
  writeFileSync(join(dir, 'file'), 'x');
  mkdirSync(join(dir, 'folder'), { recursive: true });
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(dir, { recursive: true });
});

type Params = Readonly<Record<string, unknown>>;

/**
 * Returns a request for each field with a path: its method, the name of the field, and params with this path in it.
 */
function withPath(path: string): readonly (readonly [method: string, field: string, params: Params])[] {
  const folder = uri('folder');
  const replaced = (value: unknown): boolean => typeof value === 'string' && value.startsWith('file://');
  const found = Object.entries(samplesOf({ key: 'none', processId: 'p', folder })).flatMap(
    ([method, { own }]) =>
      Object.entries(own ?? {})
        .filter(([, value]) => replaced(value))
        .map(([field]) => [method, field, { ...own, [field]: path }] as const),
  );
  const start = { processId: 'p', argv: ['true'], cwd: folder, env: {}, tty: false };
  const sandbox = workspaceWrite(join(dir, 'folder')) as {
    permissions: { file_system: { entries: object[] } };
  };
  const withEntry = (access: string, more: object = {}): object => {
    const entries = [
      ...sandbox.permissions.file_system.entries,
      { path: { type: 'path', path }, access, ...more },
    ];
    const file_system = { ...sandbox.permissions.file_system, entries };
    return { ...sandbox, permissions: { ...sandbox.permissions, file_system } };
  };
  const sandboxes = [
    ['cwd', { ...sandbox, cwd: path }],
    ['workspaceRoots', { ...sandbox, workspaceRoots: [path] }],
    ...['read', 'write', 'none'].map((access) => [`entries ${access}`, withEntry(access)] as const),
    ['entries skip', withEntry('none', { missing_path_behavior: 'skip' })],
  ] as const;
  return [
    ...found,
    ...sandboxes.map(
      ([field, intent]) => ['process/start', `sandbox.${field}`, { ...start, sandbox: intent }] as const,
    ),
    ['environmentConfig/read', 'configPaths', { cwd: folder, configPaths: [[path]], requirementsPaths: [] }],
    ['fs/watchMissing', 'missing', { watchId: 1, present: null, missing: [path] }],
    ['fs/watchMissing', 'present', { watchId: 1, present: path, missing: [uri('none')] }],
  ];
}

describe.each(Object.entries(PATHS))('[LI19] a path that is %s', (_what, path) => {
  it('yields a result or an error from each method, with and without a minimum sandbox, and never a defect', async () => {
    const defects: string[] = [];
    for (const server of servers) {
      const client = await server.client('agent');
      for (const [method, field, params] of withPath(path)) {
        // A sandbox is skipped for fs/*: its helper takes a second to start from the source, and behaves alike.
        if (method.startsWith('fs/') && server === servers[1]) continue;
        const error = await failure(client.request(method, params));
        if (error?.includes('inside the gateway')) defects.push(`${method} ${field}`);
      }
    }
    expect(defects).toEqual([]);
  });
});

it.each(['below a file', 'deep below a file', 'a name that is too long', 'a path that is too long'] as const)(
  '[SB1] a path that is %s is refused in a sandbox with an error that names its field',
  async (what) => {
    const client = await servers[0].client('agent');
    const cases = withPath(PATHS[what]).filter(([, field]) =>
      /^sandbox\.(workspaceRoots|entries (read|none|skip))/.test(field),
    );
    for (const [method, field, params] of cases) {
      const named =
        field === 'sandbox.workspaceRoots' ? 'sandbox\\.workspaceRoots' : String.raw`sandbox\..*\[6\]`;
      const reason = `^${named}: .*(its path leads through a file|ENAMETOOLONG)`;
      expect(await failure(client.request(method, params)), field).toMatch(new RegExp(reason));
    }
    expect(cases).toHaveLength(4);
  },
);

const failure = (answer: Promise<unknown>): Promise<string | null> =>
  answer.then(
    () => null,
    (error: Error) => error.message,
  );
