// Tokens on the command line: created, used, listed, revoked during a connection, and expired: rules AU5 and AU6.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CloseCode } from '../../protocol/console-constants.ts';
import { CommandLine } from '../testing/command-line.ts';
import { TestClient } from '../testing/test-client.ts';
import { Tokens } from '../policy/tokens.ts';
import { TestServer } from '../testing/test-server.ts';

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
});
afterEach(() => line.stop());

const outputOf = async (argv: string[]): Promise<string> =>
  (await line.outcome(argv)).stdout.toString().trim();
const listed = async (): Promise<{ id: string; name: string; role: string }[]> =>
  JSON.parse(await outputOf(['token', 'list', '--json'])) as { id: string; name: string; role: string }[];

it('[AU5] a created token admits its bearer with its role, and its revocation disconnects them at once', async () => {
  const made = JSON.parse(await outputOf(['token', 'create', 'Olga', '--role', 'observer', '--json'])) as {
    id: string;
    token: string;
  };
  expect(await listed()).toContainEqual(
    expect.objectContaining({ id: made.id, name: 'Olga', role: 'observer' }),
  );
  expect(await outputOf(['token', 'list'])).toMatch(
    new RegExp(`^${made.id} +observer +\\d{4}-.* +Olga$`, 'm'),
  );
  expect(await outputOf(['token', 'list', '--json'])).not.toContain(made.token);

  const olga = await TestClient.open(line.url, { token: made.token });
  await olga.initialize();
  await olga.request('console/watch', {});
  await expect(olga.start(['true'])).rejects.toMatchObject({ code: -32021 });
  const other = await TestClient.open(line.url, {
    token: await outputOf(['token', 'create', 'Ada', '--role', 'operator']),
  });
  await other.initialize();

  expect(await outputOf(['token', 'revoke', made.id])).toBe(`revoked ${made.id}`);
  expect(await olga.waitClose()).toMatchObject({
    code: CloseCode.unauthorized,
    reason: 'the token was revoked',
  });
  await expect(TestClient.open(line.url, { token: made.token })).rejects.toThrow('401');
  await other.request('console/watch', {});
  other.ws.terminate();
});

it.each([
  [['token', 'create', 'x'], 2, '--role is required: expected one of'],
  [['token', 'create', 'x', '--role', 'king'], 2, '--role king: expected one of'],
  [
    ['token', 'create', 'x', '--role', 'agent', '--expires', 'soon'],
    2,
    '--expires soon: expected a duration, such as 30m, 12h or 7d, or never\n',
  ],
  [['token', 'create', '\u202ex', '--role', 'agent'], 2, 'a name must have 1 to'],
  [['token', 'create'], 2, 'token create needs a name: exec-console token create NAME --role ROLE'],
  [
    ['token', 'revoke'],
    2,
    'token revoke needs the ID of a token or share; list them with: exec-console token list',
  ],
  [['token'], 2, 'token needs list, create, or revoke; usage: exec-console token list | create NAME'],
  [['token', 'revoke', 'nobody'], 5, 'there is no token or share nobody'],
])('%j is refused with an explanation', async (argv, code, why) => {
  const outcome = await line.outcome(argv);
  expect(outcome.stderr).toContain(why);
  expect(outcome.code).toBe(code);
});

it('[AU6] a token that expires also disconnects its bearer', async () => {
  const server = await TestServer.start();
  const { token } = new Tokens(server.stateDir).create({ name: 'brief', role: 'observer', ttlMs: 1500 });
  const brief = await TestClient.open(server.url, { token });
  await brief.initialize();
  expect(await brief.waitClose()).toMatchObject({
    code: CloseCode.unauthorized,
    reason: 'the token has expired',
  });
  await expect(TestClient.open(server.url, { token })).rejects.toThrow('401');
  await server.stop();
});

it('a state folder that cannot be used is named, with the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-open-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  chmodSync(folder, 0o755);
  for (const [stateDir, why] of [
    [folder, `the state folder ${folder} is accessible to other users (mode 755); run: chmod 700 ${folder}`],
    [file, `cannot use the state folder ${file}: it is not a folder; choose another folder with --state-dir`],
    [
      join(file, 'below'),
      `cannot use the state folder ${join(file, 'below')}: it is not a folder; choose another folder with --state-dir`,
    ],
  ] as const) {
    const { code, stderr } = await line.outcome(['token', 'list', '--state-dir', stateDir]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `exec-console: ${why}\n` });
  }
  rmSync(folder, { recursive: true });
});
