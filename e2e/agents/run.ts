// Runs the real agents, in fixed versions and with scripted models, through each door that they support:
//
//   npm run build && npm run agents [words, each of which is part of `AGENT DOOR SCENARIO`]
//
// `--quick` runs only one command per agent, and only agents that are or can be installed within seconds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tokens } from '../../server/policy/tokens.ts';
import { patiently } from '../agent/person.ts';
import { ours, type ExecServer } from '../agent/servers.ts';
import type { Client, Place } from './client.ts';
import { CLAUDE } from './clients/claude.ts';
import { CODEX } from './clients/codex.ts';
import { GEMINI } from './clients/gemini.ts';
import { OPENCODE } from './clients/opencode.ts';
import { isAlive, play, type Part } from './play.ts';
import { installed } from './programs.ts';
import { countsOf, lineOf, summary, type Result } from './results.ts';
import { scenariosOf } from './scenarios.ts';

const CLIENTS = [CLAUDE, GEMINI, OPENCODE, CODEX];
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
/** npm downloads up to 400 MB for one agent. */
const INSTALL_MS = 10 * 60_000;
const QUICK_INSTALL_MS = 20_000;
const QUICK = ['mcp-stdio', 'one-shot'];

async function main(given: readonly string[]): Promise<void> {
  if (!existsSync(MAIN)) throw new Error('there is no build; run npm run build first');
  const isQuick = given.includes('--quick');
  const words = isQuick ? QUICK : given;
  const played = CLIENTS.map((client) => playAll(partsOf(client, words), client, isQuick));
  const results = (await Promise.all(played)).flat();
  console.log(`\n${summary(results)}`);
  process.exit(countsOf(results).failed > 0 || results.length === 0 ? 1 : 0);
}

interface Named {
  readonly door: string;
  readonly scenario: { readonly name: string };
}

/** Result added for each agent whose interruption left processes running: these processes must end. */
const LEFT: Named = { door: 'mcp', scenario: { name: 'processes of interrupted agents end' } };

const nameOf = ({ client, door, scenario }: Part): string =>
  `${client.program.command} ${door} ${scenario.name}`;

const partsOf = (client: Client, words: readonly string[]): readonly Part[] =>
  client.doors
    .flatMap((door) => scenariosOf(door).map((scenario): Part => ({ client, door, scenario })))
    .filter((part) => words.every((word) => nameOf(part).includes(word)));

async function playAll(parts: readonly Part[], client: Client, isQuick: boolean): Promise<readonly Result[]> {
  if (parts.length === 0) return [];
  const results: Result[] = [];
  const add = (
    part: Named,
    state: Result['state'],
    why: readonly string[],
    sinceMs = performance.now(),
  ): void => {
    const { door, scenario } = part;
    const ms = performance.now() - sinceMs;
    const result = { agent: client.program.command, door, scenario: scenario.name, state, ms, why };
    results.push(result);
    console.log(lineOf(result));
  };
  const path = await installed(client.program, isQuick ? QUICK_INSTALL_MS : INSTALL_MS).catch(String);
  if (!existsSync(path)) {
    for (const part of parts) add(part, isQuick ? 'skipped' : 'failed', [`not installed: ${path}`]);
    return results;
  }
  const server = await ours();
  const gateway = gatewayOf(server, client);
  const left: number[] = [];
  for (const part of parts) {
    const whyNot = part.scenario.whyNot?.(client, part.door) ?? null;
    if (whyNot !== null) {
      add(part, 'skipped', [whyNot]);
      continue;
    }
    const sinceMs = performance.now();
    const outcome = await play(part, server, gateway, [process.execPath, MAIN], path).catch(
      (error: unknown) => ({ faults: [String(error)], left: null }),
    );
    if (outcome.left !== null) left.push(outcome.left);
    add(part, outcome.faults.length === 0 ? 'passed' : 'failed', outcome.faults, sinceMs);
  }
  if (left.length > 0) {
    const sinceMs = performance.now();
    const faults = await unended(left);
    add(LEFT, faults.length === 0 ? 'passed' : 'failed', faults, sinceMs);
  }
  await server.stop();
  return results;
}

/**
 * Resolves with an empty list once all processes have ended, or with an error after the time limit, which is longer
 * than the 80 s after which the gateway terminates the processes of a disconnected agent.
 */
async function unended(pids: readonly number[]): Promise<readonly string[]> {
  const all = (): Promise<true | undefined> => Promise.resolve(pids.some(isAlive) ? undefined : true);
  return patiently('their end', all).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

function gatewayOf(server: ExecServer, { program }: Client): Place['gateway'] {
  const stateDir = join(server.codexHome, 'state');
  const tokens = new Tokens(stateDir);
  const tokenOf = (door: string, mayElicit: boolean): string =>
    tokens.create({ name: `${program.command}-${door}`, role: 'agent', ttlMs: null, mayElicit }).token;
  const mcpUrl = `${server.url.replace(/^ws/, 'http').replace(/\/$/, '')}/mcp`;
  return { stateDir, mcpUrl, token: tokenOf('http', false), elicitingToken: tokenOf('form', true) };
}

await main(process.argv.slice(2));
