// Checks that the console lists every process of the agents as closed, with its thread, tool call and starter.
import type { ProcessInfo } from '../../protocol/console.ts';
import { TestClient } from '../../server/testing/test-client.ts';
import type { ExecServer } from './servers.ts';

export class Watcher {
  readonly #client: TestClient;

  private constructor(client: TestClient) {
    this.#client = client;
  }

  static async of(server: ExecServer | undefined): Promise<Watcher> {
    if (!server?.token) throw new Error('invariant violation: a gateway without a token');
    const client = await TestClient.open(server.url, { token: server.token });
    await client.initialize();
    return new Watcher(client);
  }

  count = 0;

  async problems(): Promise<string[]> {
    const { processes } = await this.#client.request<{ processes: ProcessInfo[] }>('console/watch', {});
    this.count = processes.length;
    this.#client.ws.close();
    if (processes.length === 0) return ['it lists no processes'];
    return processes.flatMap(({ argv, metadata, startedBy, state }) => {
      const command = argv.join(' ').slice(0, 60);
      // The agent sends no thread for its MCP servers.
      const isOwn = command.includes('mcp.mjs') && !command.includes('-lc');
      return [
        ...(isOwn || (metadata['threadId'] && metadata['toolCallId'])
          ? []
          : [`${command}: no thread or tool call`]),
        ...(startedBy === 'token file' ? [] : [`${command}: started by ${startedBy}`]),
        ...(state === 'closed' ? [] : [`${command}: still ${state}`]),
      ];
    });
  }
}
