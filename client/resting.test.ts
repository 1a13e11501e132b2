// Resting while a page is in the background: the processes that are still followed, and the output afterwards.
import { expect, it } from 'vitest';
import { createExecClient } from './create-client.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { RecordingSink, bytesOf } from './testing/recording-sink.ts';

async function makeFollowed() {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime, retainedBytes: 1000 });
  const { connection, processes } = createExecClient({ socket: gateway.dial, clientName: 'test', runtime });
  connection.open();
  await runtime.advance(10);
  const fake = gateway.start('p');
  fake.output(bytesOf('old '));
  const remote = processes.attach('p');
  const sink = new RecordingSink();
  remote.follow(sink);
  await runtime.advance(10);
  return { runtime, gateway, connection, processes, fake, remote, sink };
}

it('a client that rests receives nothing, and gets the output printed meanwhile as replay when it resumes', async () => {
  const { runtime, gateway, processes, fake, sink } = await makeFollowed();
  processes.rest(true);
  await runtime.advance(10);
  fake.output(bytesOf('missed '));
  await runtime.advance(10);
  expect(sink.text).toBe('old ');
  processes.rest(false);
  await runtime.advance(10);
  fake.output(bytesOf('new'));
  await runtime.advance(10);
  expect(sink.text).toBe('old missed new');
  expect(sink.reported.map((reported) => reported.kind === 'output' && reported.output.live)).toEqual([
    false,
    false,
    true,
  ]);
  expect([gateway.countOf('process/attach'), gateway.countOf('process/detach')]).toEqual([2, 1]);
});

it('a client that has rested receives the exact gap of the evicted output', async () => {
  const { runtime, processes, fake, sink } = await makeFollowed();
  processes.rest(true);
  await runtime.advance(10);
  for (let n = 0; n < 5; n += 1) fake.output(new Uint8Array(400));
  processes.rest(false);
  await runtime.advance(10);
  expect(sink.kinds.slice(1)).toEqual(['gap', 'output', 'output']);
  expect(sink.missedBytes).toBe(1200);
});

it('a client that rests keeps receiving the output of a process under its control until it loses control', async () => {
  const { runtime, gateway, processes, fake, remote, sink } = await makeFollowed();
  await Promise.all([remote.control(true), runtime.advance(10)]);
  processes.rest(true);
  await runtime.advance(10);
  fake.output(bytesOf('new '));
  await runtime.advance(10);
  expect(sink.text).toBe('old new ');
  gateway.setController(fake, 'somebody');
  await runtime.advance(10);
  expect(gateway.countOf('process/detach')).toBe(1);
});

it('a client that rests keeps receiving the output of pipes, for which no snapshot could replace evicted output', async () => {
  const { runtime, gateway, processes } = await makeFollowed();
  const fake = gateway.start('pipes');
  fake.tty = false;
  gateway.report(fake);
  await runtime.advance(10);
  const sink = new RecordingSink();
  processes.attach('pipes').follow(sink);
  processes.rest(true);
  await runtime.advance(10);
  for (let n = 0; n < 5; n += 1) {
    fake.output(new Uint8Array(400), 'stdout');
    await runtime.advance(10);
  }
  processes.rest(false);
  await runtime.advance(10);
  expect([sink.missedBytes, sink.kinds]).toEqual([0, Array(5).fill('output')]);
  expect(gateway.countOf('process/detach')).toBe(1);
});

it('a client keeps resting through a cut, and afterwards reports a reconnection that was not just now', async () => {
  const { runtime, gateway, processes, fake, sink } = await makeFollowed();
  processes.rest(true);
  gateway.socket.cut();
  await runtime.advance(300);
  fake.output(bytesOf('missed'));
  await runtime.advance(10);
  expect(gateway.countOf('process/attach')).toBe(1);
  processes.rest(false);
  await runtime.advance(10);
  expect(sink.kinds).toEqual(['output', 'reconnected', 'output']);
  expect(sink.reported[1]).toEqual({ kind: 'reconnected', isJustNow: false });
  expect(sink.text).toBe('old missed');
  gateway.socket.cut();
  await runtime.advance(300);
  expect(sink.reported.at(-1)).toEqual({ kind: 'reconnected', isJustNow: true });
});

it('a client that attaches to a process while it rests receives the output only when it resumes', async () => {
  const { runtime, gateway, processes } = await makeFollowed();
  processes.rest(true);
  gateway.start('q').output(bytesOf('q'));
  const sink = new RecordingSink();
  processes.attach('q').follow(sink);
  await runtime.advance(10);
  expect(sink.reported).toEqual([]);
  processes.rest(false);
  await runtime.advance(10);
  expect(sink.text).toBe('q');
});
