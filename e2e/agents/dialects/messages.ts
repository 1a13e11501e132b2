// The streamed Messages API, as used by Claude Code.
import type { Dialect, Item } from '../../agent/scripted-model.ts';

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
}

export const MESSAGES: Dialect = {
  paths: /\/v1\/messages$/,
  read: (request) => {
    const { messages, tools = [] } = request as Request;
    if (tools.length === 0) return null;
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      input: messages,
      outputs: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)),
      tools: tools.map(({ name }) => name),
    };
  },
  write: (items, to, n) => {
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, data: object): void =>
      void to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: `message-${n}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [],
    };
    send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
    for (const [index, item] of items.entries()) {
      send('content_block_start', { index, content_block: opened(item) });
      send('content_block_delta', { index, delta: filled(item) });
      send('content_block_stop', { index });
    }
    const isCall = items.some(({ type }) => type === 'function_call');
    const delta = { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null };
    send('message_delta', { delta, usage });
    send('message_stop', {});
    to.end();
  },
};

const isCall = ({ type }: Item): boolean => type === 'function_call';

const opened = (item: Item): object =>
  isCall(item)
    ? { type: 'tool_use', id: item['call_id'], name: item['name'], input: {} }
    : { type: 'text', text: '' };

const filled = (item: Item): object =>
  isCall(item)
    ? { type: 'input_json_delta', partial_json: item['arguments'] }
    : { type: 'text_delta', text: 'done' };

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: { text?: string }) => block.text ?? '').join('\n');
}
