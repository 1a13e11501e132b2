// Starts in a linked folder whose link changes before the approval, at a real gateway: rules AP3, AP4, AP12, AP17, AP18
// and AP24.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import type { TestClient } from '../testing/test-client.ts';

let gated: GatedServer;
let agent: TestClient;
let operator: TestClient;

beforeEach(async () => {
  gated = await GatedServer.start();
  [agent, operator] = [await gated.server.client('agent'), await gated.server.client('operator')];
  for (const name of ['good', 'evil']) {
    mkdirSync(gated.marked(name));
    writeFileSync(gated.marked(`${name}/run.sh`), '#!/bin/sh\npwd -P\n', { mode: 0o755 });
  }
  turn('good');
});
afterEach(() => gated.stop());

function turn(to: string): void {
  rmSync(gated.marked('link'), { force: true });
  symlinkSync(to, gated.marked('link'));
}

const inFolder = (name: string): { readonly cwd: string } => ({
  cwd: pathToFileURL(gated.marked(name)).href,
});
const start = (more: object = {}): ReturnType<TestClient['start']> =>
  agent.start(['sh', 'run.sh'], { ...inFolder('link'), ...more });

const ELSEWHERE = 'its folder leads to a different file or folder than when approval was requested';

describe('A start in a linked folder', () => {
  it('[AP17] is shown with the folder to which the link leads, for observers too', async () => {
    const observer = await gated.server.client('observer');
    const started = errorOf(start());
    const { id } = await waits(operator);
    await expect.poll(async () => (await waiting(operator))[0]?.folder).toBe(gated.marked('good'));
    expect((await list(observer)).approvals[0]?.folder).toBe(gated.marked('good'));
    await decide(operator, id, 'decline');
    await started;
  });

  it('[AP18] waits again when the link leads elsewhere by the time of its approval', async () => {
    const started = start();
    const first = await waits(operator);
    await expect.poll(async () => (await waiting(operator))[0]?.folder).toBe(gated.marked('good'));
    turn('evil');
    await decide(operator, first.id, 'accept');
    await expect.poll(async () => (await waiting(operator))[0]?.reason).toBe(ELSEWHERE);
    await expect.poll(async () => (await waiting(operator))[0]?.folder).toBe(gated.marked('evil'));
    await decide(operator, (await waits(operator)).id, 'accept');
    expect(await exitOf(agent, started)).toMatchObject({ exitCode: 0 });
  });

  it.each([{ argv: ['sh', 'run.sh'] }, { argv: ['./run.sh'] }])(
    '[AP3] is approved for the session only while the link leads there: $argv',
    async ({ argv }) => {
      const run = (name: string): ReturnType<TestClient['start']> => agent.start(argv, inFolder(name));
      const first = run('link');
      await decide(operator, (await waits(operator)).id, 'acceptForSession');
      await first;
      // The approval also covers the folder under its own name.
      await run('link');
      await run('good');
      turn('evil');
      const started = errorOf(run('link'));
      await decide(operator, (await waits(operator)).id, 'decline');
      expect((await started)?.message).toBe('declined by the operator');
      turn('good');
      await run('link');
    },
  );

  it('[AP24] needs its own approval when the link led elsewhere at its tool call', async () => {
    const metadata = { toolCallId: 'c1' };
    const asked = agent.request('approvals/ask', {
      tool: 'Bash',
      argv: ['sh', 'run.sh'],
      metadata,
      ...inFolder('link'),
    });
    await decide(operator, (await waits(operator)).id, 'accept');
    await asked;
    turn('evil');
    const started = errorOf(start({ metadata }));
    const again = await waits(operator);
    expect(again.reason).toBe(ELSEWHERE);
    await decide(operator, again.id, 'decline');
    await started;
  });

  it('[AP4] is withdrawn by a termination that arrives while its folder is looked up', async () => {
    const first = start();
    await decide(operator, (await waits(operator)).id, 'acceptForSession');
    await first;
    const started = errorOf(start({ processId: 'second' }));
    await agent.request('process/terminate', { processId: 'second' });
    expect((await started)?.message).toBe('the agent withdrew the request, so nothing was done');
  });
});

it('[AP12] input that is sent with a start waits, even when the start itself needs no approval', async () => {
  const shell = { tty: true, ...inFolder('link') };
  const first = agent.start(['sh'], shell);
  await decide(operator, (await waits(operator)).id, 'acceptForSession');
  await first;
  const second = agent.start(['sh'], { ...shell, processId: 'second' });
  const wrote = errorOf(agent.write({ processId: 'second' }, 'exit 3\n'));
  await second;
  const asked = await waits(operator);
  expect(asked).toMatchObject({ kind: 'input', processId: 'second' });
  await decide(operator, asked.id, 'decline');
  expect((await wrote)?.message).toBe('declined by the operator');
});
