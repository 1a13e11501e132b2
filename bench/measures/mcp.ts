// Measures the cost that the Model Context Protocol adds to a short command: over HTTP, and through `exec-console
// mcp`.
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { OverStdio, overHttp, type McpClient } from '../rig/mcp.ts';
import { cpuSeconds } from '../rig/readings.ts';
import { percentile } from '../rig/statistics.ts';

/** Turns of each way before the measurement, so that all code in use is loaded and compiled. */
const WARM_UP = 4;
/** Number of commands run one way before switching to the next: enough to measure CPU time. */
const IN_TURN = 50;

interface Way {
  readonly name: string;
  /** Runs one command; resolves once its end has been reported. */
  readonly run: () => Promise<unknown>;
  readonly tookMs: number[];
  /**
   * CPU time of the gateway and of `exec-console mcp` during the turns of this way; ways other than stdio leave the
   * latter idle.
   */
  cpuMs: number;
}

export const mcp: Measure = {
  name: 'mcp',
  about: 'a program that does nothing, started by each protocol: the exec-server, MCP over HTTP and on stdio',
  servers: 'console',
  async run(subject, options) {
    const client = await Client.open(subject);
    const stdio = await OverStdio.open(subject);
    const http = await overHttp(subject);
    const direct = way('exec-server', async () => {
      const { closed } = await client.start(['/bin/bash', '-c', 'true']);
      await within(closed, 'the end of a short program');
    });
    const ways = [direct, way('http', () => shortCommand(http)), way('stdio', () => shortCommand(stdio))];
    await takeTurns(ways, { subject, options, relay: stdio.pid });
    client.close();
    await stdio.close();
    return Object.assign({}, ...ways.map((each) => figuresOf(each, direct))) as Figures;
  },
};

const way = (name: string, run: () => Promise<unknown>): Way => ({ name, run, tookMs: [], cpuMs: 0 });

async function shortCommand(client: McpClient): Promise<void> {
  const answer = await client.call('exec_command', {
    cmd: 'true',
    shell: '/bin/bash',
    login: false,
    workdir: '/tmp',
  });
  if (!answer.includes('exited with code 0')) throw new Error(`a wrong answer: ${answer}`);
}

async function takeTurns(
  ways: readonly Way[],
  {
    subject,
    options,
    relay,
  }: { readonly subject: Subject; readonly options: Options; readonly relay: number },
): Promise<void> {
  const cpuMs = (): number => (cpuSeconds(subject.pid) + cpuSeconds(relay)) * 1000;
  const turns = Math.ceil(options.operations / IN_TURN) + WARM_UP;
  const endsAtMs = performance.now() + options.seconds * 1000 * ways.length;
  for (let turn = 0; turn < turns && performance.now() < endsAtMs; turn += 1) {
    for (const each of turn % 2 === 0 ? ways : ways.toReversed()) {
      const before = cpuMs();
      const tookMs = await inTurn(each);
      if (turn < WARM_UP) continue;
      each.cpuMs += cpuMs() - before;
      each.tookMs.push(...tookMs);
    }
  }
}

async function inTurn({ run }: Way): Promise<readonly number[]> {
  const tookMs: number[] = [];
  for (let count = 0; count < IN_TURN; count += 1) {
    const before = performance.now();
    await run();
    tookMs.push(performance.now() - before);
  }
  return tookMs;
}

function figuresOf({ name, tookMs, cpuMs }: Way, direct: Way): Figures {
  const [p50, cpu] = [percentile(tookMs, 0.5), cpuMs / tookMs.length];
  const isDirect = name === direct.name;
  return {
    [`${name}: p50, ms`]: p50,
    [`${name}: p99, ms`]: percentile(tookMs, 0.99),
    [`${name}: CPU, ms`]: cpu,
    ...(!isDirect && {
      [`${name}: p50 added, ms`]: p50 - percentile(direct.tookMs, 0.5),
      [`${name}: CPU added, ms`]: cpu - direct.cpuMs / direct.tookMs.length,
    }),
    [`${name}: operations`]: tookMs.length,
  };
}
