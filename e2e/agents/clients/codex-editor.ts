// An editor that runs Codex as its server: begins one turn, and answers the forms of MCP servers as its user does.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Forms } from '../client.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: { readonly thread?: { readonly id: string } };
}

/** Sends the turn to `codex app-server` over its stdio, and ends the server after the turn. */
export function talk({ stdin, stdout }: ChildProcess, dir: string, forms: Forms): void {
  if (!stdin || !stdout) throw new Error('invariant violation: an agent without stdio');
  const send = (message: object): void => void stdin.write(`${JSON.stringify(message)}\n`);
  const clientInfo = { name: 'editor', title: 'Editor', version: '1' };
  send({ id: 'initialize', method: 'initialize', params: { clientInfo } });
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line) as Message;
    if (method === undefined && id === 'initialize') {
      send({ method: 'initialized' });
      send({ id: 'thread', method: 'thread/start', params: { cwd: dir } });
    } else if (method === undefined && id === 'thread') {
      const input = [{ type: 'text', text: 'go' }];
      send({ id: 'turn', method: 'turn/start', params: { threadId: result?.thread?.id, input } });
    } else if (method === 'mcpServer/elicitation/request') {
      send({ id, result: forms.answer(params?.message ?? '') });
    } else if (method === 'turn/completed') stdin.end();
  });
}
