// Claude Code: its settings for each door, and the calls of its own tools.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../../agent/scripted-model.ts';
import { connect, relay, standIn, type Client, type Place } from '../client.ts';
import { MESSAGES } from '../dialects/messages.ts';

export const CLAUDE: Client = {
  program: { command: 'claude', package: '@anthropic-ai/claude-code', version: '2.1.332' },
  shownAs: 'claude',
  dialect: MESSAGES,
  doors: ['mcp-stdio', 'mcp-http', 'hook', 'shim', 'prompt-tool'],
  configure: (place) => {
    const env = {
      ANTHROPIC_BASE_URL: place.model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Claude Code refuses to skip its permission prompts as root without this.
      IS_SANDBOX: '1',
    };
    const args = ['-p', 'go', '--model', 'sonnet', ...how(place)];
    if (place.door === 'hook') connect(place, 'claude');
    if (place.door !== 'shim') return { args, env };
    const prefix = standIn(place, '--prefix-path', 'claude');
    return { args, env: { ...env, CLAUDE_CODE_SHELL_PREFIX: prefix } };
  },
  tool: (name, args) => call(`mcp__console__${name}`, args),
  shell: (command) => call('Bash', { command, description: 'a step' }),
  background: (command) => call('Bash', { command, description: 'a step', run_in_background: true }),
};

function how(place: Place): readonly string[] {
  // Claude Code, run without a person, rejects every command that neither its settings nor its hook allow.
  if (place.door === 'hook') return ['--permission-mode', 'bypassPermissions'];
  if (place.door === 'shim') return ['--allowedTools', 'Bash'];
  if (place.door === 'prompt-tool')
    return [...servers(place), '--permission-prompt-tool', 'mcp__console__approve'];
  return [...servers(place), '--allowedTools', 'mcp__console', '--disallowedTools', 'Bash'];
}

function servers(place: Place): readonly string[] {
  const file = join(place.home, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { console: server(place) } }));
  return ['--mcp-config', file, '--strict-mcp-config'];
}

function server(place: Place): object {
  const { door, gateway } = place;
  if (door === 'mcp-http')
    return { type: 'http', url: gateway.mcpUrl, headers: { Authorization: `Bearer ${gateway.token}` } };
  const [command, ...args] = relay(place);
  return { type: 'stdio', command, args };
}
