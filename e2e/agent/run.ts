// Runs the real agent against the reference and against exec-console, scenario by scenario, and compares the
// outcomes:
//
//   npm run build && CODEX_BIN=path/to/codex npx tsx e2e/agent/run.ts [part of a scenario's name]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FaultProxy } from '../../server/testing/fault-proxy.ts';
import { APPROVAL_SCENARIOS } from './approval-scenarios.ts';
import { Person } from './person.ts';
import { Watcher } from './watcher.ts';
import { KEEPER_SCENARIOS } from './keeper-scenarios.ts';
import { SCENARIOS, type Scenario, type Stage } from './scenarios.ts';
import { ScriptedModel } from './scripted-model.ts';
import { ours, reference, type ExecServer } from './servers.ts';

/** Time limit after which an agent counts as hanging. */
const PATIENCE_MS = 180_000;

interface Outcome {
  readonly exit: number | string | null;
  /** Outputs of the calls as sent to the model, without the parts that differ between runs. */
  readonly outputs: readonly string[];
  readonly looked: unknown;
  /** Error of the person's actions, or a text about unexpected decisions; null if there is neither. */
  readonly wrong: string | null;
}

async function play(scenario: Scenario, server: ExecServer, codex: string): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'agent-work-'));
  const home = mkdtempSync(join(tmpdir(), 'agent-home-'));
  const proxy = await FaultProxy.listen(Number(new URL(server.url.replace('ws:', 'http:')).port));
  const person = scenario.person ? await Person.at(server) : null;
  let agent: ReturnType<typeof spawn> | null = null;
  let replaced = Promise.resolve();
  const stage: Stage = {
    dir,
    home,
    cut: () => proxy.cut(),
    down: (ms) => proxy.down(ms),
    replaceGateway() {
      replaced = replaced.then(() => server.replace());
      replaced.catch(() => {});
    },
    agent: (signal) => void agent?.kill(signal),
    get person() {
      if (!person) throw new Error('misuse: a scenario without a person');
      return person;
    },
    turns: () => model.turns.length,
  };
  const model: ScriptedModel = await ScriptedModel.start(scenario.steps(stage));
  try {
    configure(home, scenario, model.url, `ws://127.0.0.1:${proxy.port}`, server.token);
    scenario.setUp?.(stage);
    if (scenario.policy) await person?.setPolicy(scenario.policy);
    const decided = scenario.person?.(stage).then(() => null, String) ?? null;
    agent = spawn(codex, ['exec', '--skip-git-repo-check', '-C', dir, 'go'], {
      env: { ...process.env, CODEX_HOME: home },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const patience = setTimeout(() => agent?.kill('SIGKILL'), PATIENCE_MS);
    const [code, signal] = (await once(agent, 'exit')) as [number | null, string | null];
    clearTimeout(patience);
    await replaced;
    // The outcome is polled, because the server notices the agent's exit a moment later.
    await settled(() => scenario.look?.(stage) !== true, scenario.settleMs ?? 5000);
    const outputs = model.turns.at(-1)?.outputs ?? [];
    const asked = await person?.asked();
    const decisions = asked?.map(({ decision }) => decision);
    const isAsDecided = isDeepStrictEqual(decisions, scenario.decisions);
    return {
      exit: scenario.isEnded ? 'ended' : (code ?? signal),
      outputs: outputs.map((output) => normal(output, dir)),
      looked: scenario.look?.(stage),
      wrong: (await decided) ?? (isAsDecided ? null : `the decisions were ${JSON.stringify(decisions)}`),
    };
  } finally {
    await person?.leave();
    model.close();
    await proxy.close();
    for (const folder of [dir, home]) rmSync(folder, { recursive: true, force: true });
  }
}

function configure(
  home: string,
  { sandbox = 'danger-full-access' }: Scenario,
  modelUrl: string,
  url: string,
  token: string | null,
): void {
  writeFileSync(
    join(home, 'config.toml'),
    [
      'model = "gpt-5"',
      'model_provider = "scripted"',
      `sandbox_mode = "${sandbox}"`,
      'approval_policy = "never"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${modelUrl}"`,
      'wire_api = "responses"',
      '',
    ].join('\n'),
  );
  writeFileSync(
    join(home, 'environments.toml'),
    [
      'default = "console"',
      '[[environments]]',
      'id = "console"',
      `url = "${url}"`,
      ...(token === null ? [] : [`auth_bearer_token = "${token}"`]),
      '',
    ].join('\n'),
  );
}

async function settled(isOver: () => boolean, patienceMs: number): Promise<void> {
  for (let waited = 0; waited < patienceMs && !isOver(); waited += 100)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Returns the output without the parts that differ between runs. */
const normal = (output: string, dir: string): string =>
  output
    .replaceAll(dir, 'DIR')
    .replaceAll(/Chunk ID: \w+/g, 'Chunk ID')
    .replaceAll(/Wall time: [\d.]+/g, 'Wall time')
    .replaceAll(/session ID \d+/g, 'session ID N')
    .replaceAll(/ws:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replaceAll(/Original token count: \d+/g, 'tokens');

/**
 * Returns an outcome as comparable text, with its outputs joined: a terminal or a cut connection splits them
 * differently in each run.
 */
const whole = ({ exit, outputs, looked }: Outcome): string =>
  JSON.stringify({
    exit,
    looked,
    text: outputs
      .map((output) => output.replace(/^[\s\S]*?Output:\n/, ''))
      .join('')
      .replaceAll(/\s+/g, ' '),
    ends: outputs
      .filter((output) => output.includes('exited with code'))
      .map((output) => /code (-?\d+)/.exec(output)?.[1]),
  });

function isAsExpected({ outputs, wrong }: Outcome, { expect }: Scenario): boolean {
  if (wrong !== null) return false;
  if (expect instanceof RegExp) return outputs.some((output) => expect.test(output));
  if (typeof expect === 'string') return outputs.some((output) => output.includes(expect));
  return expect.every((text, at) => outputs[at]?.includes(text));
}

async function main(): Promise<void> {
  const codex = process.env['CODEX_BIN'];
  if (!codex) throw new Error('CODEX_BIN must name the codex command');
  const [filter = ''] = process.argv.slice(2);
  const [theReference, gateway] = [await reference(codex), await ours()];
  const watcher = await Watcher.of(gateway);
  const withKeeper = await ours({ hasKeeper: true });
  let failed = 0;
  const all = [...SCENARIOS, ...KEEPER_SCENARIOS, ...APPROVAL_SCENARIOS];
  const chosen = all.filter(({ name }) => name.includes(filter));
  for (const scenario of chosen) {
    const isAlone = scenario.isReferenceWeak !== undefined;
    const [own, theirs] = await Promise.all([
      play(scenario, scenario.hasKeeper ? withKeeper : gateway, codex),
      isAlone ? null : play(scenario, theReference, codex),
    ]);
    const isRight = isAsExpected(own, scenario) && (theirs === null || whole(theirs) === whole(own));
    const note = isAlone ? `  (ours alone: ${scenario.isReferenceWeak})` : '';
    console.log(`${isRight ? 'PASS' : 'FAIL'}  ${scenario.name}${note}`);
    if (isRight) continue;
    failed += 1;
    console.log(
      `  reference: ${theirs && whole(theirs).slice(0, 1500)}\n  ours:      ${whole(own).slice(0, 1500)}${own.wrong === null ? '' : `\n  the person: ${own.wrong}`}`,
    );
  }
  const isWatched = chosen.some(({ hasKeeper }) => !hasKeeper);
  const unseen = isWatched ? await watcher.problems() : [];
  for (const problem of unseen) console.log(`FAIL  the console: ${problem}`);
  if (isWatched && unseen.length === 0)
    console.log(
      `PASS  the console lists ${watcher.count} processes, each with its thread, tool call and starter`,
    );
  await Promise.all([theReference, gateway, withKeeper].map((server) => server.stop()));
  process.exit(failed + unseen.length > 0 ? 1 : 0);
}

await main();
