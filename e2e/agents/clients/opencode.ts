// opencode: its settings for each door, and the calls of its own tools.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../../agent/scripted-model.ts';
import { connect, standIn, type Client, type Place } from '../client.ts';
import { CHAT } from '../dialects/chat.ts';

export const OPENCODE: Client = {
  program: { command: 'opencode', package: 'opencode-ai', version: '1.18.33' },
  shownAs: 'opencode',
  dialect: CHAT,
  doors: ['mcp-stdio', 'mcp-http', 'shim'],
  configure: (place) => {
    const folder = join(place.home, '.config', 'opencode');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(settings(place)));
    if (place.door === 'mcp-stdio') connect(place, 'opencode');
    const env = {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      ...(place.door === 'shim' && { SHELL: standIn(place, '--path', 'opencode') }),
    };
    return { args: ['run', 'go'], env };
  },
  tool: (name, args) => call(`console_${name}`, args),
  shell: (command) => call('bash', { command, description: 'a step' }),
  background: null,
};

const settings = (place: Place): object => ({
  autoupdate: false,
  share: 'disabled',
  model: 'scripted/model',
  small_model: 'scripted/model',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: `${place.model}/v1`, apiKey: 'scripted' },
      models: { model: { name: 'model' } },
    },
  },
  ...(place.door === 'mcp-http' && { permission: { bash: 'deny' }, mcp: { console: remote(place) } }),
});

const remote = ({ gateway }: Place): object => ({
  type: 'remote',
  url: gateway.mcpUrl,
  headers: { Authorization: `Bearer ${gateway.token}` },
  oauth: false,
  enabled: true,
});
