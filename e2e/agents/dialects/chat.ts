// Streamed chat completions, as used by opencode with a custom provider.
import type { Dialect } from '../../agent/scripted-model.ts';

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export const CHAT: Dialect = {
  paths: /\/chat\/completions$/,
  read: (request) => {
    const { messages, tools = [] } = request as Request;
    if (tools.length === 0) return null;
    return {
      input: messages,
      outputs: messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
      tools: tools.map(({ function: { name } }) => name),
    };
  },
  write: (items, to, n) => {
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, reason: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      const chunk = {
        id: `answer-${n}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices,
      };
      to.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const calls = items.filter(({ type }) => type === 'function_call');
    for (const [index, item] of calls.entries()) {
      const named = { name: item['name'], arguments: item['arguments'] };
      const call = { index, id: item['call_id'], type: 'function', function: named };
      send({ role: 'assistant', tool_calls: [call] }, null);
    }
    if (calls.length === 0) send({ role: 'assistant', content: 'done' }, null);
    send({}, calls.length > 0 ? 'tool_calls' : 'stop');
    to.end('data: [DONE]\n\n');
  },
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}
