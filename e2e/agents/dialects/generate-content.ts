// Gemini's streamed generateContent, as used by Gemini CLI.
import type { Dialect, Item } from '../../agent/scripted-model.ts';

interface Part {
  readonly functionResponse?: { readonly response?: { readonly output?: string; readonly error?: string } };
}

interface Request {
  readonly contents: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

export const GENERATE_CONTENT: Dialect = {
  paths: /:(?:streamG|g)enerateContent$/,
  read: (request) => {
    const { contents, tools = [] } = request as Request;
    if (tools.length === 0) return null;
    return {
      input: contents,
      outputs: contents
        .flatMap(({ parts = [] }) => parts)
        .flatMap(({ functionResponse }) => (functionResponse ? [textOf(functionResponse.response)] : [])),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    };
  },
  write: (items, to) => {
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    const content = { role: 'model', parts: items.map(part) };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const answer = { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
    to.end(`data: ${JSON.stringify(answer)}\n\n`);
  },
};

const part = (item: Item): object =>
  item.type === 'function_call'
    ? {
        functionCall: {
          id: item['call_id'],
          name: item['name'],
          args: JSON.parse(item['arguments'] as string) as object,
        },
      }
    : { text: 'done' };

const textOf = (response: { output?: string; error?: string } = {}): string =>
  response.output ?? response.error ?? JSON.stringify(response);
