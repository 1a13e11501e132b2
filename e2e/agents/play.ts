// Plays a scenario: sets up a fresh home for the agent, runs it with its scripted model, and judges the
// outcome.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Person } from '../agent/person.ts';
import { ScriptedModel } from '../agent/scripted-model.ts';
import type { ExecServer } from '../agent/servers.ts';
import type { Client, Door, Forms, Place } from './client.ts';
import type { Scenario, Stage } from './scenarios.ts';

/** Time limit after which an agent counts as hanging. */
const PATIENCE_MS = 180_000;
/** Time after which a process left running by an agent counts as a survivor. */
const SURVIVED_AFTER_MS = 2000;
/** Time after the agent's exit during which the person may still see an awaited request. */
const LAST_LOOK_MS = 5000;
const LOOK_MS = 50;

export interface Part {
  readonly client: Client;
  readonly door: Door;
  readonly scenario: Scenario;
}

export interface Outcome {
  /** Differences from the scenario's expectations; empty when it passes. */
  readonly faults: readonly string[];
  /** PID of a process still running after its agent was interrupted; null if there is none. */
  readonly left: number | null;
}

/** Plays the scenario; `path` is the agent's command. */
export async function play(
  { client, door, scenario }: Part,
  server: ExecServer,
  gateway: Place['gateway'],
  console: Place['console'],
  path: string,
): Promise<Outcome> {
  const [dir, home] = [folder('agents-work-'), folder('agents-home-')];
  const person = await Person.at(server);
  const shown: string[] = [];
  const stage: Stage = { client, door, dir, person, turns: () => model.turns.length, forms: shown };
  const model: ScriptedModel = await ScriptedModel.start(scenario.steps(stage), client.dialect);
  try {
    const launch = client.configure({
      budgetS: scenario.budgetS ?? null,
      door,
      dir,
      home,
      model: model.origin,
      console,
      gateway,
    });
    if (scenario.policy) await person.setPolicy(scenario.policy);
    const decided = scenario.person?.(stage).then(() => null, String) ?? null;
    const agent = spawn(path, launch.args, { cwd: dir, env: { ...plain(home), ...launch.env } });
    const printed = textOf(agent);
    if (launch.talk) launch.talk(agent, dir, formsOf(scenario, shown));
    else agent.stdin.end();
    const patience = setTimeout(() => agent.kill('SIGKILL'), PATIENCE_MS);
    const ended = once(agent, 'exit') as Promise<[number | null, string | null]>;
    const interrupted = scenario.isInterrupted ? interrupt(agent, dir) : null;
    const [code, signal] = await ended;
    clearTimeout(patience);
    const pid = await interrupted;
    const outputs = model.turns.at(-1)?.outputs ?? [];
    const faults = [
      signal === 'SIGKILL' ? `the agent hung for ${PATIENCE_MS / 1000} s` : null,
      pid === null && code !== 0 ? `the agent ended with ${code ?? signal}` : null,
      await inTime(decided),
      scenario.isInterrupted && pid === null ? 'the command did not run' : null,
      ...missing(scenario.expect, outputs),
      await wrongDecisions(person, scenario),
      ...(await wrongRows(person, dir, { client, scenario })),
      pid === null ? null : await wrongEnd(pid, scenario),
    ].filter((fault) => fault !== null);
    const reported =
      faults.length > 0
        ? [
            `the model received: ${JSON.stringify(outputs)}`,
            `its tools: ${model.turns[0]?.tools.join(' ')}`,
            `the agent printed: ${printed()}`,
          ]
        : [];
    return { faults: [...faults, ...reported], left: pid !== null && isAlive(pid) ? pid : null };
  } finally {
    await person.leave();
    model.close();
    for (const path of [dir, home]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

const folder = (prefix: string): string => realpathSync(mkdtempSync(join(tmpdir(), prefix)));

/** Records each form, and answers it like the scenario's user. */
const formsOf = ({ form = null }: Scenario, shown: string[]): Forms => ({
  answer: (message) => {
    shown.push(message);
    return form === null ? { action: 'cancel' } : { action: 'accept', content: { decision: form } };
  },
});

/** Minimal environment for the agent, without proxies, credentials or configuration of the test's user. */
const plain = (home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});

/** Collects stdout and stderr together; the returned function returns their last 1500 characters. */
function textOf({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const output of [stdout, stderr])
    output?.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(-1500)));
  return () => text;
}

/**
 * Resolves with null once the person's actions have succeeded, or if there are none; with an error text if they fail,
 * or take longer than `LAST_LOOK_MS`, since no request can arrive after the agent's exit.
 */
function inTime(decided: Promise<string | null> | null): Promise<string | null> {
  const late = new Promise<string>((resolve) =>
    setTimeout(() => resolve('the agent ended before the person could act'), LAST_LOOK_MS).unref(),
  );
  return Promise.race([decided, late]);
}

/**
 * Interrupts the agent once its command runs. Resolves with the command's PID; null if the agent exits first.
 */
async function interrupt(agent: ChildProcess, dir: string): Promise<number | null> {
  const file = join(dir, 'pid');
  while (agent.exitCode === null && agent.signalCode === null) {
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (pid > 0) {
      agent.kill('SIGINT');
      return pid;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a fault for each pattern that is not found in this order. All outputs are searched as one text, because their
 * division into answers depends on timing.
 */
function missing(expected: readonly RegExp[], outputs: readonly string[]): readonly string[] {
  let rest = outputs.join('\n');
  return expected.flatMap((pattern) => {
    const found = pattern.exec(rest);
    if (!found) return [`the model did not receive ${String(pattern)}`];
    rest = rest.slice(found.index + found[0].length);
    return [];
  });
}

async function wrongDecisions(person: Person, { decisions = [] }: Scenario): Promise<string | null> {
  const made = (await person.asked()).map(({ decision }) => decision);
  return isDeepStrictEqual(made, decisions) ? null : `the decisions were ${JSON.stringify(made)}`;
}

async function wrongRows(
  person: Person,
  dir: string,
  { client, scenario }: Pick<Part, 'client' | 'scenario'>,
): Promise<readonly string[]> {
  const rows = await person.rowsIn(dir);
  const number =
    rows.length === scenario.rows ? [] : [`the console shows ${rows.length} processes, not ${scenario.rows}`];
  const wrongStarts = rows.flatMap(({ metadata, startedBy, argv }) => {
    const isKnown = startedBy.startsWith(client.shownAs);
    const command = argv.join(' ').slice(0, 80);
    return isKnown ? [] : [`${command}: started by ${startedBy} ${JSON.stringify(metadata)}`];
  });
  return [...number, ...wrongStarts];
}

/**
 * Returns a fault if the command did not end as expected, otherwise null: a command of the gateway's tools must outlive
 * the interrupted agent, and one of the agent's own tool must not.
 */
async function wrongEnd(pid: number, { tools }: Scenario): Promise<string | null> {
  await new Promise((resolve) => setTimeout(resolve, SURVIVED_AFTER_MS));
  if (tools === 'gateway') return isAlive(pid) ? null : 'the command ended with its agent';
  return isAlive(pid) ? 'the command outlived its agent' : null;
}
