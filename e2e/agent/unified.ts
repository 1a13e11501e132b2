// Checks the answers in `server/testing/codex-answers.ts` against the real agent's tools:
//
//   CODEX_BIN=path/to/codex npx tsx e2e/agent/unified.ts [part of a scenario's name]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparable, SCENARIOS, type Scenario } from '../../server/testing/codex-answers.ts';
import { call, ScriptedModel } from './scripted-model.ts';

/** Time limit after which an agent counts as hanging. */
const PATIENCE_MS = 180_000;

async function answers(codex: string, { steps }: Scenario): Promise<readonly string[]> {
  const own = mkdtempSync(join(tmpdir(), 'agent-unified-'));
  const [dir, home] = [join(own, 'work'), join(own, 'home')];
  mkdirSync(dir);
  mkdirSync(home);
  const model = await ScriptedModel.start(
    steps.map(({ tool, args, before }) => async ({ outputs }) => {
      await before?.(dir);
      return [call(tool, args(sessionsIn(outputs)))];
    }),
  );
  try {
    writeFileSync(join(home, 'config.toml'), configuration(model.url));
    const agent = spawn(codex, ['exec', '--skip-git-repo-check', '-C', dir, 'go'], {
      // A separate home, because the user's profile may take seconds to run in a login shell.
      env: { ...process.env, HOME: home, CODEX_HOME: home },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const patience = setTimeout(() => agent.kill('SIGKILL'), PATIENCE_MS);
    await once(agent, 'exit');
    clearTimeout(patience);
    return (model.turns.at(-1)?.outputs ?? []).map((output) => comparable(output, dir));
  } finally {
    model.close();
    rmSync(own, { recursive: true, force: true });
  }
}

/** Returns a configuration that raises the default limit on the length of a tool's output. */
const configuration = (url: string): string =>
  [
    'model = "gpt-5"',
    'model_provider = "scripted"',
    'sandbox_mode = "danger-full-access"',
    'approval_policy = "never"',
    'tool_output_token_limit = 1000000',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}"`,
    'wire_api = "responses"',
    '',
  ].join('\n');

const sessionsIn = (outputs: readonly string[]): number[] => [
  ...new Set(
    outputs.flatMap((output) =>
      [.../session ID (\d+)/g[Symbol.matchAll](output)].map(([, id]) => Number(id)),
    ),
  ),
];

async function main(): Promise<void> {
  const codex = process.env['CODEX_BIN'];
  if (!codex) throw new Error('CODEX_BIN must name the codex command');
  const [filter = ''] = process.argv.slice(2);
  let failed = 0;
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(filter))) {
    const printed = await answers(codex, scenario);
    const wrong = scenario.steps.flatMap(({ answer }, at) => (printed[at] === answer ? [] : at));
    console.log(
      `${wrong.length === 0 ? 'PASS' : 'FAIL'}  ${scenario.name} (${scenario.steps.length} answers)`,
    );
    for (const at of wrong)
      console.log(
        `  ${at}: expected ${JSON.stringify(scenario.steps[at]?.answer)}\n     Codex answered ${JSON.stringify(printed[at])}`,
      );
    failed += wrong.length;
  }
  process.exit(failed > 0 ? 1 : 0);
}

await main();
