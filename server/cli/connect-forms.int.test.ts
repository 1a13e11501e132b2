// Settings files of every form that `connect` edits: it preserves bytes, mode and links, and --undo restores the files.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { agentToken } from './agent-token.ts';

let line: CommandLine;
let home: string;
beforeAll(async () => {
  line = await CommandLine.start();
  home = line.env['HOME'] ?? '';
});
afterAll(() => line.stop());

const connect = (...args: string[]) => line.outcome(['connect', ...args]);
const AGENTS = ['claude', 'codex', 'gemini', 'opencode', 'cursor', 'vscode'];
/** Member of the JSON settings in which each agent gets an entry. */
const PART: Readonly<Record<string, string>> = {
  claude: 'hooks',
  gemini: 'hooks',
  opencode: 'mcp',
  cursor: 'mcpServers',
  vscode: 'servers',
};

const textFor = (agent: string): string =>
  agent === 'codex'
    ? '# Mine.\ndefault = "mine"\n\n[[environments]]\nid = "mine"\n'
    : `{\n  // Mine.\n  "other": [1, 2,],\n  "${PART[agent]}": {\n    // Also mine.\n    "x": {},\n  },\n}\n`;

async function roundTrip(agent: string, path: string): Promise<string> {
  const done = await connect(agent, '--file', path, '--yes');
  expect([done.code, done.stderr]).toEqual([0, '']);
  const after = readFileSync(path, 'utf8');
  expect((await connect(agent, '--file', path, '--yes')).stdout.toString()).toContain('Nothing to change');
  const undone = await connect(agent, '--file', path, '--undo', '--yes');
  expect([undone.code, undone.stdout.toString()]).toEqual([0, expect.stringContaining('is revoked')]);
  return after;
}

describe.each(AGENTS)('the settings of %s', (agent) => {
  it('[CN1] keep a byte order mark, CRLF, comments, trailing commas, mode and link', async () => {
    const [path, link] = [join(home, `form-${agent}`), join(home, `link-${agent}`)];
    const before = `\uFEFF${textFor(agent).replaceAll('\n', '\r\n')}`;
    writeFileSync(path, before);
    chmodSync(path, 0o644);
    symlinkSync(path, link);
    const after = await roundTrip(agent, link);
    expect(after.startsWith('\uFEFF')).toBe(true);
    expect(after.slice(1)).not.toMatch(/^\uFEFF|[^\r]\n/);
    expect(after).toContain('Mine.');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it('[CN1] may be empty, or missing with their folder, and are so again after --undo', async () => {
    const empty = join(home, `empty-${agent}`);
    writeFileSync(empty, '');
    await roundTrip(agent, empty);
    expect(readFileSync(empty, 'utf8')).toBe('');
    const missing = join(home, `folder-${agent}`, 'in', 'it');
    await roundTrip(agent, missing);
    expect(existsSync(missing)).toBe(false);
  });

  it('[CN1] [CN2] are not changed when they are read-only or not text, and then there is no token', async () => {
    const [locked, bytes] = [join(home, `locked-${agent}`), join(home, `bytes-${agent}`)];
    writeFileSync(locked, textFor(agent));
    chmodSync(locked, 0o444);
    writeFileSync(bytes, Buffer.from('7b00e97d00', 'hex'));
    mkdirSync(join(home, 'file-as-folder'), { recursive: true });
    writeFileSync(join(home, 'file-as-folder', agent), '');
    const inFile = join(home, 'file-as-folder', agent, 'settings');
    for (const [path, why] of [
      [locked, 'it is read-only'],
      [bytes, 'it is not UTF-8 text'],
      [inFile, 'cannot be'],
    ] as const) {
      const { code, stderr } = await connect(agent, '--file', path, '--yes');
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
    expect(readFileSync(locked, 'utf8')).toBe(textFor(agent));
    expect(await tokensOf(agent)).toBe(0);
  });
});

const tokensOf = async (name: string): Promise<number> => {
  const { stdout } = await line.outcome(['token', 'list', '--json']);
  return stdout
    .toString()
    .split('\n')
    .filter((each) => each.includes(`"name":"${name}"`)).length;
};

describe('the token of an agent', () => {
  it.each(AGENTS)(
    '[CN2] does not exist after --print or a change that nobody confirmed: %s',
    async (agent) => {
      const printed = await connect(agent, '--print');
      expect(printed.code).toBe(0);
      if (agent === 'codex') {
        expect(printed.stdout.toString()).toContain('auth_bearer_token = "TOKEN"');
        expect(printed.stderr).toContain('exec-console token create codex --role agent');
      }
      expect((await connect(agent, '--file', join(home, 'unconfirmed'))).code).toBe(1);
      expect(await tokensOf(agent)).toBe(0);
    },
  );

  it('[CN1] is revoked by --undo even if the file was changed back already, or cannot be parsed', async () => {
    const path = join(home, 'changed-back.json');
    await connect('cursor', '--file', path, '--yes');
    expect(await tokensOf('cursor')).toBe(1);
    writeFileSync(path, '{}\n');
    const undone = await connect('cursor', '--file', path, '--undo');
    expect([undone.code, undone.stdout.toString()]).toEqual([
      0,
      `Nothing to change in ${path}. The token of the agent is revoked.\n`,
    ]);
    await connect('cursor', '--file', path, '--yes');
    writeFileSync(path, '{ broken');
    const broken = await connect('cursor', '--file', path, '--undo');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('is revoked')]);
    expect(await tokensOf('cursor')).toBe(0);
  });
});

describe('opencode', () => {
  it('[CN1] keeps the meaning of one permission for all tools', async () => {
    const path = join(home, 'short.json');
    const before = '{\n  "permission": "ask"\n}\n';
    writeFileSync(path, before);
    const after = await roundTrip('opencode', path);
    expect(JSON.parse(after)).toMatchObject({ permission: { '*': 'ask', bash: 'deny' } });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('[CN1] disables its own tool after a pattern that would enable it again', async () => {
    const path = join(home, 'pattern.json');
    const before = '{\n  "permission": { "bash": "deny", "*": "allow" }\n}\n';
    writeFileSync(path, before);
    const { permission } = JSON.parse(await roundTrip('opencode', path)) as { permission: object };
    expect(Object.entries(permission)).toEqual([
      ['*', 'allow'],
      ['bash', 'deny'],
    ]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

it('[CN1] restores each of several files of an agent, and revokes the token with the last', async () => {
  const paths = ['one', 'two', 'three'].map((name) => join(home, name));
  for (const [at, path] of paths.entries()) {
    writeFileSync(path, at === 0 ? '{}' : `{ "other":   ${at} }`);
    chmodSync(path, 0o640);
  }
  const before = paths.map((path) => readFileSync(path, 'utf8'));
  for (const path of paths) await connect('cursor', '--file', path, '--yes');
  const undone: string[] = [];
  for (const path of [paths[1], paths[2], paths[0]])
    undone.push((await connect('cursor', '--file', path ?? '', '--undo', '--yes')).stdout.toString());
  expect(undone.map((each) => each.trimEnd().split('\n').at(-1))).toEqual([
    `Written. ${paths[0]} still uses the token of the agent.`,
    `Written. ${paths[0]} still uses the token of the agent.`,
    'Written. The token of the agent is revoked.',
  ]);
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o640, 0o640, 0o640]);
});

it('[CN1] an agent whose pasted entries are removed before it has used a token gets none', async () => {
  const [pasted, token] = [join(home, 'pasted'), join(line.stateDir, 'agents', 'cursor.token')];
  writeFileSync(pasted, (await connect('cursor', '--print')).stdout);
  rmSync(token, { force: true });
  await connect('cursor', '--file', join(home, 'absent'), '--undo', '--yes');
  expect(existsSync(token)).toBe(false);
  await connect('cursor', '--file', pasted, '--undo', '--yes');
  await expect(agentToken(line.stateDir, 'cursor')).rejects.toThrow('connect it again');
});
