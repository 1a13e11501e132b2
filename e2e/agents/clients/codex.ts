// Codex: its settings for each door, and the calls of its own tools.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, RESPONSES, run } from '../../agent/scripted-model.ts';
import { connect, isMcp, relay, type Client, type Place } from '../client.ts';
import { talk } from './codex-editor.ts';

export const CODEX: Client = {
  program: { command: 'codex', package: '@openai/codex', version: '0.169.0' },
  shownAs: 'codex',
  dialect: RESPONSES,
  doors: ['mcp-stdio', 'mcp-http', 'mcp-form', 'hook', 'exec-server'],
  configure: (place) => {
    writeFileSync(join(place.home, 'config.toml'), [...settings(place), ...door(place), ''].join('\n'));
    if (place.door === 'exec-server') connect(place, 'codex');
    const trust = place.door === 'hook' ? ['--dangerously-bypass-hook-trust'] : [];
    const { token, elicitingToken } = place.gateway;
    const env = { CODEX_HOME: place.home };
    if (place.door === 'mcp-form')
      return { args: ['app-server'], env: { ...env, CONSOLE_TOKEN: elicitingToken }, talk };
    const args = ['exec', '--skip-git-repo-check', ...trust, '-C', place.dir, 'go'];
    return { args, env: { ...env, CONSOLE_TOKEN: token } };
  },
  tool: (name, args) => ({ ...call(name, args), namespace: 'mcp__console' }),
  shell: (command) => run(command),
  background: (command) => run(command, { yield_time_ms: 500 }),
};

/** Setting without which Codex calls its model before the MCP server has listed its tools. */
const REQUIRED = 'required = true';

const settings = ({ door, model }: Place): readonly string[] => [
  'model = "gpt-5"',
  'model_provider = "scripted"',
  'sandbox_mode = "danger-full-access"',
  // Codex shows no approval form under `never`.
  `approval_policy = "${door === 'mcp-form' ? 'on-request' : 'never'}"`,
  '[model_providers.scripted]',
  'name = "scripted"',
  `base_url = "${model}/v1"`,
  'wire_api = "responses"',
];

function door(place: Place): readonly string[] {
  if (isMcp(place)) return server(place);
  return place.door === 'hook' ? hook(place) : [];
}

function hook({ console, gateway }: Place): readonly string[] {
  const words = [...console, 'hook', '--agent', 'codex', '--state-dir', gateway.stateDir];
  const command = words.map((word) => `'${word}'`).join(' ');
  return [
    '[[hooks.PreToolUse]]',
    'matcher = "Bash"',
    '[[hooks.PreToolUse.hooks]]',
    'type = "command"',
    `command = ${JSON.stringify(command)}`,
    'timeout = 600',
  ];
}

function server(place: Place): readonly string[] {
  const { door, gateway } = place;
  const head = ['[mcp_servers.console]', REQUIRED, 'default_tools_approval_mode = "approve"'];
  if (door !== 'mcp-stdio')
    return [...head, `url = "${gateway.mcpUrl}"`, 'bearer_token_env_var = "CONSOLE_TOKEN"'];
  const [command, ...args] = relay(place);
  return [...head, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
}
