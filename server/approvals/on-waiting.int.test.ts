// --on-waiting: the command that notifies people of a waiting request: rule AP16.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { errorOf, GatedServer, waits } from '../testing/gated-server.ts';

let gated: GatedServer;
const folder = mkdtempSync(join(tmpdir(), 'exec-console-on-waiting-'));
afterEach(async () => {
  await gated.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('[AP16] --on-waiting runs once for each request while no operator is watching, with secrets masked', async () => {
  const notices = join(folder, 'notices');
  gated = await GatedServer.start({ onWaiting: `cat >> ${notices}` });
  const { server } = gated;
  const agent = await server.client('agent');
  const observer = await server.client('observer');
  await observer.request('console/watch', {});
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  void errorOf(agent.start(['echo', secret]));
  await expect.poll(() => existsSync(notices) && readFileSync(notices, 'utf8').includes('\n')).toBe(true);
  const line = JSON.parse(readFileSync(notices, 'utf8')) as Record<string, string>;
  const operator = await server.client('operator');
  const { id } = await waits(operator);
  expect(line).toMatchObject({ id, agent: 'the agent', kind: 'start' });
  expect(line['command']).toMatch(/^echo 'ghp_\*+'$/);
  await operator.request('console/watch', {});
  void errorOf(agent.start(['echo', 'seen']));
  await waits(operator, 2);
  await operator.request('console/unwatch');
  void errorOf(agent.start(['echo', 'unseen']));
  await expect.poll(() => readFileSync(notices, 'utf8').split('\n').length).toBe(3);
  expect(readFileSync(notices, 'utf8')).not.toContain('echo seen');
});

it('[AP16] --on-waiting gets the command of the process that a waiting input is for', async () => {
  const notices = join(folder, 'input-notices');
  mkdirSync(folder, { recursive: true });
  gated = await GatedServer.start({ approvals: 'on-request', onWaiting: `cat >> ${notices}` });
  const agent = await gated.server.client('agent');
  const { processId } = await agent.start(['sh', '-i'], { tty: true });
  const chunk = Buffer.from('echo typed\r').toString('base64');
  void errorOf(agent.request('process/write', { processId, writeId: '1', chunk }));
  await expect
    .poll(() => existsSync(notices) && readFileSync(notices, 'utf8'))
    .toContain('"command":"sh -i"');
});
