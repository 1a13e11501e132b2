// Runs the real agents, in fixed versions and with scripted models, through every door of the gateway that each has:
//
//   npm run build && npm run agents [words, each of which is part of `AGENT DOOR SCENARIO`]
//
// With `--quick` only one command of each agent, of those that are installed already or within seconds.
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
import { scenariosOf } from './scenarios.ts';

const CLIENTS = [CLAUDE, GEMINI, OPENCODE, CODEX];
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
/** npm downloads up to 400 MB for one agent. */
const INSTALL_MS = 10 * 60_000;
const QUICK_INSTALL_MS = 20_000;
const QUICK = ['mcp-stdio', 'one-shot'];

interface Counts {
  passed: number;
  failed: number;
  /** Scenarios that an agent cannot have, or that was not installed. */
  skipped: number;
}

async function main(given: readonly string[]): Promise<void> {
  if (!existsSync(MAIN)) throw new Error('there is no build; run npm run build first');
  const isQuick = given.includes('--quick');
  const words = isQuick ? QUICK : given;
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  await Promise.all(CLIENTS.map((client) => playAll(partsOf(client, words), client, counts, isQuick)));
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  process.exit(counts.failed > 0 || counts.passed + counts.skipped === 0 ? 1 : 0);
}

const nameOf = ({ client, door, scenario }: Part): string =>
  `${client.program.command} ${door} ${scenario.name}`;

const partsOf = (client: Client, words: readonly string[]): readonly Part[] =>
  client.doors
    .flatMap((door) => scenariosOf(door).map((scenario): Part => ({ client, door, scenario })))
    .filter((part) => words.every((word) => nameOf(part).includes(word)));

async function playAll(
  parts: readonly Part[],
  client: Client,
  counts: Counts,
  isQuick: boolean,
): Promise<void> {
  if (parts.length === 0) return;
  const { command } = client.program;
  const path = await installed(client.program, isQuick ? QUICK_INSTALL_MS : INSTALL_MS).catch(String);
  if (!existsSync(path)) {
    if (isQuick) counts.skipped += parts.length;
    else counts.failed += parts.length;
    console.log(`${isQuick ? 'SKIP' : 'FAIL'}  ${command} was not run, as it is not installed: ${path}`);
    return;
  }
  const server = await ours();
  const gateway = gatewayOf(server, client);
  const left: number[] = [];
  for (const part of parts) {
    const whyNot = part.scenario.whyNot?.(client, part.door) ?? null;
    if (whyNot !== null) {
      counts.skipped += 1;
      console.log(`SKIP  ${nameOf(part)}: ${whyNot}`);
      continue;
    }
    const outcome = await play(part, server, gateway, [process.execPath, MAIN], path).catch(
      (error: unknown) => ({
        faults: [String(error)],
        left: null,
      }),
    );
    if (outcome.left !== null) left.push(outcome.left);
    tell(counts, nameOf(part), outcome.faults);
  }
  if (left.length > 0) tell(counts, `${command}: what interrupted agents left ends`, await unended(left));
  await server.stop();
}

function tell(counts: Counts, name: string, faults: readonly string[]): void {
  counts[faults.length === 0 ? 'passed' : 'failed'] += 1;
  console.log([`${faults.length === 0 ? 'PASS' : 'FAIL'}  ${name}`, ...faults].join('\n      '));
}

/** The gateway ends them 80 s after their agents. */
async function unended(pids: readonly number[]): Promise<readonly string[]> {
  const all = (): Promise<true | undefined> => Promise.resolve(pids.some(isAlive) ? undefined : true);
  const twice = patiently('their end', all).catch(() => patiently('their end', all));
  return twice.then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

function gatewayOf(server: ExecServer, { program }: Client): Place['gateway'] {
  const stateDir = join(server.codexHome, 'state');
  const { token } = new Tokens(stateDir).create({
    name: `${program.command}-http`,
    role: 'agent',
    ttlMs: null,
  });
  const mcpUrl = `${server.url.replace(/^ws/, 'http').replace(/\/$/, '')}/mcp`;
  return { stateDir, mcpUrl, token };
}

await main(process.argv.slice(2));
