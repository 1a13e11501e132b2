// Gemini CLI: its settings for each door, and the calls of its own tools.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../../agent/scripted-model.ts';
import { connect, isMcp, relay, standIn, type Client, type Place } from '../client.ts';
import { GENERATE_CONTENT } from '../dialects/generate-content.ts';

export const GEMINI: Client = {
  program: { command: 'gemini', package: '@google/gemini-cli', version: '0.61.0' },
  shownAs: 'gemini',
  dialect: GENERATE_CONTENT,
  doors: ['mcp-stdio', 'mcp-http', 'hook', 'shim'],
  configure: (place) => {
    mkdirSync(join(place.home, '.gemini'));
    writeFileSync(join(place.home, '.gemini', 'settings.json'), JSON.stringify(settings(place)));
    if (place.door === 'hook') connect(place, 'gemini');
    const env = {
      GOOGLE_GEMINI_BASE_URL: place.model,
      GEMINI_API_KEY: 'scripted',
      GEMINI_CLI_NO_RELAUNCH: '1',
      ...(place.door === 'shim' && {
        PATH: `${standIn(place, '--folder', 'gemini')}:${process.env['PATH']}`,
      }),
    };
    return { args: ['-p', 'go', '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo'], env };
  },
  tool: (name, args) => call(`mcp_console_${name}`, args),
  shell: (command) => call('run_shell_command', { command, description: 'a step' }),
  background: (command) => call('run_shell_command', { command, description: 'a step', is_background: true }),
};

const settings = (place: Place): object => ({
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  ...(isMcp(place) && {
    mcpServers: { console: server(place) },
    tools: { exclude: ['run_shell_command'] },
  }),
});

function server(place: Place): object {
  const { door, gateway } = place;
  if (door === 'mcp-http')
    return { httpUrl: gateway.mcpUrl, headers: { Authorization: `Bearer ${gateway.token}` }, trust: true };
  const [command, ...args] = relay(place);
  return { command, args, trust: true };
}
