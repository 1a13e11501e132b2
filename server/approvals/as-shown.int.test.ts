// Starts that wait for approval with facts about their files, at a real gateway: rules AP17 and AP18.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { findUser } from '../host/user.ts';
import type { Approval } from '../../protocol/approvals.ts';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import { readOnly } from '../testing/intents.ts';
import type { TestClient } from '../testing/test-client.ts';

let gated: GatedServer;
afterEach(() => gated.stop());

async function gate(...how: Parameters<typeof GatedServer.start>): Promise<[TestClient, TestClient]> {
  gated = await GatedServer.start(...how);
  const { server } = gated;
  return [await server.client('agent'), await server.client('operator')];
}

const script = (mark: string): string => `#!/bin/sh\ntouch ${gated.marked(mark)}\n`;
function program(text: string): string {
  const path = gated.marked('run.sh');
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the newest waiting request, once its program is known. */
async function known(client: TestClient, count = 1): Promise<Approval> {
  await expect.poll(async () => (await waiting(client)).at(-1)?.program).toBeTruthy();
  return waits(client, count);
}

describe('A waiting start', () => {
  it('[AP17] is reported with its branch and its program, run directly or as the only command of a script', async () => {
    const [agent, operator] = await gate();
    mkdirSync(gated.marked('.git'));
    writeFileSync(gated.marked('.git/HEAD'), 'ref: refs/heads/feature\n');
    const text = script('a');
    const path = program(text);
    const observer = await gated.server.client('observer');
    await observer.request('console/watch', {});
    const cwd = pathToFileURL(gated.folder).href;
    for (const argv of [[path], ['./run.sh'], ['bash', '-lc', './run.sh now']]) {
      const started = errorOf(agent.start(argv, { cwd }));
      const asked = await known(operator);
      expect(asked).toMatchObject({ branch: 'feature', program: { path, sha256: hashOf(text) } });
      const [whole] = (await list(operator, { id: asked.id })).approvals;
      expect(whole).toMatchObject({ branch: 'feature', program: { path } });
      await observer.until(
        () => JSON.stringify(observer.log).includes(`"${asked.id}","state":"waiting"`),
        'the request is reported',
      );
      await decide(operator, asked.id, 'decline');
      await started;
    }
    await observer.until(
      () => JSON.stringify(observer.log).includes('"branch":"feature"'),
      'the request is reported',
    );
  });

  it('[AP17] is reported without its program when its sandbox cannot write to the program', async () => {
    const [agent, operator] = await gate();
    const path = program(script('a'));
    const started = errorOf(agent.start([path], { sandbox: readOnly(gated.folder) }));
    const { id } = await waits(operator);
    await decide(operator, id, 'decline');
    await started;
    const [over] = (await list(operator, { id })).approvals;
    expect(over?.program).toBeNull();
  });

  it.each(['accept', 'acceptForSession', 'acceptWithRule'])(
    '[AP18] requires approval again after %s when its program has changed, and runs what was last shown',
    async (decision) => {
      const [agent, operator] = await gate();
      const path = program(script('a'));
      const run = agent.start([path]);
      const first = await known(operator);
      program(script('b'));
      await decide(operator, first.id, decision);
      const second = await known(operator);
      expect(second.id).not.toBe(first.id);
      expect(second.reason).toContain('has changed since approval was requested');
      expect(second.program?.sha256).toBe(hashOf(script('b')));
      if (decision === 'acceptForSession') {
        // The approval for the session was for the program before the change, so an equal start still waits.
        const equal = errorOf(agent.start([path]));
        await decide(operator, (await waits(operator, 2)).id, 'decline');
        expect(await equal).not.toBeNull();
      }
      await operator.request('console/setPolicy', { policy: 'never' });
      expect(await waits(operator)).toMatchObject({ id: second.id });
      await decide(operator, second.id, 'accept');
      expect(await exitOf(agent, run)).toMatchObject({ exitCode: 0 });
      expect([existsSync(gated.marked('a')), existsSync(gated.marked('b'))]).toEqual([false, true]);
    },
  );

  it('[AP18] can still be decided when its program is not read in time, and does not block its connection', async () => {
    const [agent, operator] = await gate();
    execFileSync('mkfifo', ['-m', '777', gated.marked('fifo')]);
    const started = errorOf(agent.start([gated.marked('fifo')]));
    await agent.request('environment/status');
    await decide(operator, (await waits(operator)).id, 'accept');
    expect((await started)?.message).toContain('not an executable file');
  });
});

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('As another user', () => {
  it('[AP17] a start is reported only with a program that this user can write to', async () => {
    const user = findUser('nobody');
    const [agent, operator] = await gate({ user });
    chmodSync(gated.folder, 0o755);
    mkdirSync(gated.marked('theirs'));
    execFileSync('chown', [`${user.uid}:${user.gid}`, gated.marked('theirs')]);
    writeFileSync(gated.marked('theirs/run.sh'), script('a'), { mode: 0o755 });
    // The first program is outside the folder for temporary files, because every user can write to that folder.
    void errorOf(agent.start(['/bin/true']));
    void errorOf(agent.start([join(gated.folder, 'theirs/run.sh')]));
    await waits(operator, 2);
    await expect
      .poll(async () => (await waiting(operator)).at(-1)?.program, { timeout: 15_000 })
      .toMatchObject({
        path: gated.marked('theirs/run.sh'),
        sha256: hashOf(script('a')),
      });
    expect((await waiting(operator))[0]?.program).toBeNull();
  });
});
