// Control of a process across any number of cuts.
import { describe, expect, it, vi } from 'vitest';
import { createExecClient } from './create-client.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import type { FakeProcess } from './testing/fake-process.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';

async function makeAttached() {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime });
  const { connection, processes } = createExecClient({ socket: gateway.dial, clientName: 'test', runtime });
  connection.open();
  await runtime.advance(10);
  const fake = gateway.start('p');
  const remote = processes.attach('p');
  await runtime.advance(10);
  return { runtime, gateway, fake, remote };
}

describe('Control', () => {
  it('is requested again after a cut when no other connection has it', async () => {
    const { runtime, gateway, fake, remote } = await makeAttached();
    await Promise.all([remote.control(true), runtime.advance(10)]);
    expect(remote.controlled).toBe(true);
    gateway.socket.cut();
    expect(remote.controlled).toBe(false);
    await runtime.advance(300);
    expect(remote.controlled).toBe(true);
    expect(fake.controller).toBe('c2');
  });

  it('is not requested again for a process that is closed', async () => {
    const { runtime, gateway, fake, remote } = await makeAttached();
    await Promise.all([remote.control(true), runtime.advance(10)]);
    fake.exit();
    fake.close();
    await runtime.advance(10);
    expect(remote.controlled).toBe(true);
    gateway.socket.cut();
    await runtime.advance(300);
    expect(remote.controlled).toBe(false);
    expect(fake.controller).toBeNull();
  });

  it('stays with a connection that took it during the cut', async () => {
    const { runtime, gateway, fake, remote } = await makeAttached();
    await Promise.all([remote.control(true), runtime.advance(10)]);
    gateway.socket.cut();
    gateway.setController(fake, 'somebody else');
    await runtime.advance(300);
    expect(remote.controlled).toBe(false);
    expect(fake.controller).toBe('somebody else');
  });

  it('is not requested by a connection that did not have it before the cut', async () => {
    const { runtime, gateway, fake, remote } = await makeAttached();
    gateway.socket.cut();
    await runtime.advance(300);
    expect(remote.controlled).toBe(false);
    expect(fake.controller).toBeNull();
  });

  it('is lost when another connection takes it, and can be released', async () => {
    const { runtime, gateway, fake, remote } = await makeAttached();
    await Promise.all([remote.control(true), runtime.advance(10)]);
    gateway.setController(fake, 'somebody else');
    await runtime.advance(10);
    expect(remote.controlled).toBe(false);
    await Promise.all([remote.control(true), runtime.advance(10)]);
    await Promise.all([remote.control(false), runtime.advance(10)]);
    expect(remote.controlled).toBe(false);
    expect(fake.controller).toBeNull();
  });
});

describe('Control that is requested again after a cut', () => {
  /**
   * Returns a client that had control and was cut; `asked` runs when the gateway receives its request for
   * control on the second connection.
   */
  async function makeCut(asked: (gateway: FakeGateway, fake: FakeProcess) => void) {
    const made = await makeAttached();
    const { runtime, gateway, remote } = made;
    await Promise.all([remote.control(true), runtime.advance(10)]);
    gateway.socket.cut();
    const asking = vi.spyOn(gateway, 'setController');
    asking.mockImplementationOnce((fake) => asked(gateway, fake));
    await runtime.advance(300);
    return { ...made, asking };
  }

  it('is requested by the third connection when the second one was cut before the gateway confirmed it', async () => {
    const { runtime, fake, remote } = await makeCut((gateway) => gateway.socket.cut());
    expect(remote.controlled).toBe(false);
    await runtime.advance(1000);
    expect(remote.controlled).toBe(true);
    expect(fake.controller).toBe('c3');
  });

  it.each([
    ['the first', 'c1'],
    ['the second', 'c2'],
  ])(
    'is taken by the third connection even when the gateway still considers %s one alive',
    async (_which, label) => {
      const { runtime, gateway, fake, remote } = await makeAttached();
      await Promise.all([remote.control(true), runtime.advance(10)]);
      gateway.socket.cut();
      fake.controller = 'c1';
      vi.spyOn(gateway, 'setController').mockImplementationOnce(() => {
        gateway.socket.cut();
        fake.controller = label;
      });
      await runtime.advance(1000);
      expect(remote.controlled).toBe(true);
      expect(fake.controller).toBe('c3');
    },
  );

  it('is regained after any number of further cuts', async () => {
    const { runtime, gateway, fake, remote, asking } = await makeCut((each) => each.socket.cut());
    const cut = (): void => gateway.socket.cut();
    asking.mockImplementationOnce(cut).mockImplementationOnce(cut);
    await runtime.advance(20_000);
    expect(remote.controlled).toBe(true);
    expect(fake.controller).toBe('c5');
  });

  it('stays with a connection that took it during the cut, even after that connection has released it', async () => {
    const { runtime, gateway, fake, remote } = await makeCut((each, process) => {
      process.controller = 'somebody else';
      each.report(process);
      each.runtime.after(0, () => each.socket.cut());
    });
    gateway.setController(fake, null);
    await runtime.advance(1000);
    expect(remote.controlled).toBe(false);
    expect(gateway.countOf('process/control')).toBe(2);
  });

  it('is requested once per connection, however often changes of the process are sent', async () => {
    const { runtime, gateway, fake, remote } = await makeCut((each, process) => {
      each.report(process);
      each.report(process);
    });
    gateway.report(fake);
    await runtime.advance(10);
    expect(gateway.countOf('process/control')).toBe(2);
    expect(remote.controlled).toBe(false);
  });

  it('is not requested again when it was refused', async () => {
    const { runtime, gateway, remote } = await makeAttached();
    await Promise.all([remote.control(true), runtime.advance(10)]);
    gateway.socket.cut();
    gateway.refused.add('process/control');
    await runtime.advance(300);
    gateway.refused.clear();
    gateway.socket.cut();
    await runtime.advance(1000);
    expect(remote.controlled).toBe(false);
    expect(gateway.countOf('process/control')).toBe(2);
  });
});
