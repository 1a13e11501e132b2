import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, RESPONSES, run } from '../../agent/scripted-model.ts';
import { relay, type Client, type Place } from '../client.ts';

export const CODEX: Client = {
  program: { command: 'codex', package: '@openai/codex', version: '0.169.0' },
  shownAs: 'codex',
  dialect: RESPONSES,
  doors: ['mcp-stdio', 'mcp-http'],
  configure: (place) => {
    writeFileSync(
      join(place.home, 'config.toml'),
      [...settings(place.model), ...server(place), ''].join('\n'),
    );
    return {
      args: ['exec', '--skip-git-repo-check', '-C', place.dir, 'go'],
      env: { CODEX_HOME: place.home, CONSOLE_TOKEN: place.gateway.token },
    };
  },
  tool: (name, args) => ({ ...call(name, args), namespace: 'mcp__console' }),
  shell: (command) => run(command),
  background: (command) => run(command, { yield_time_ms: 500 }),
};

/** Codex asks its model before an optional server has told its tools. */
const REQUIRED = 'required = true';

const settings = (model: string): readonly string[] => [
  'model = "gpt-5"',
  'model_provider = "scripted"',
  'sandbox_mode = "danger-full-access"',
  'approval_policy = "never"',
  '[model_providers.scripted]',
  'name = "scripted"',
  `base_url = "${model}/v1"`,
  'wire_api = "responses"',
];

function server(place: Place): readonly string[] {
  const { door, gateway } = place;
  const head = ['[mcp_servers.console]', REQUIRED];
  if (door === 'mcp-http')
    return [...head, `url = "${gateway.mcpUrl}"`, 'bearer_token_env_var = "CONSOLE_TOKEN"'];
  const [command, ...args] = relay(place);
  return [...head, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
}
