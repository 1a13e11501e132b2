import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../../agent/scripted-model.ts';
import { isMcp, relay, standIn, type Client, type Place } from '../client.ts';
import { MESSAGES } from '../dialects/messages.ts';

export const CLAUDE: Client = {
  program: { command: 'claude', package: '@anthropic-ai/claude-code', version: '2.1.332' },
  shownAs: 'claude',
  dialect: MESSAGES,
  doors: ['mcp-stdio', 'mcp-http', 'shim'],
  configure: (place) => {
    const env = {
      ANTHROPIC_BASE_URL: place.model,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const args = ['-p', 'go', '--model', 'sonnet'];
    if (!isMcp(place)) {
      const prefix = standIn(place, '--prefix-path', 'claude');
      return { args: [...args, '--allowedTools', 'Bash'], env: { ...env, CLAUDE_CODE_SHELL_PREFIX: prefix } };
    }
    const file = join(place.home, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { console: server(place) } }));
    const tools = ['--allowedTools', 'mcp__console', '--disallowedTools', 'Bash'];
    return { args: [...args, '--mcp-config', file, '--strict-mcp-config', ...tools], env };
  },
  tool: (name, args) => call(`mcp__console__${name}`, args),
  shell: (command) => call('Bash', { command, description: 'a step' }),
  background: (command) => call('Bash', { command, description: 'a step', run_in_background: true }),
};

function server(place: Place): object {
  const { door, gateway } = place;
  if (door === 'mcp-http')
    return { type: 'http', url: gateway.mcpUrl, headers: { Authorization: `Bearer ${gateway.token}` } };
  const [command, ...args] = relay(place);
  return { type: 'stdio', command, args };
}
