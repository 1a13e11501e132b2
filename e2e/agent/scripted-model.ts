// A model that follows a script: just enough of the Responses API for an agent.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Item {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Input of the model so far, the newest last. */
export interface Turn {
  readonly input: readonly Item[];
  /** Outputs of the calls, in the order of their ends. */
  readonly outputs: readonly string[];
}

/** One answer of the model; after the last one the model reports that it is done. */
export type Step = (turn: Turn) => readonly Item[] | Promise<readonly Item[]>;

export class ScriptedModel {
  readonly url: string;
  readonly turns: Turn[] = [];
  readonly #close: () => void;

  private constructor(
    url: string,
    close: () => void,
    listen: (answer: (body: string, to: ServerResponse) => void) => void,
    steps: readonly Step[],
  ) {
    this.url = url;
    this.#close = close;
    listen((body, to) => void this.#answer(body, to, steps));
  }

  static async start(steps: readonly Step[]): Promise<ScriptedModel> {
    let answer: (body: string, to: ServerResponse) => void = () => {};
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.url?.endsWith('/responses')) answer(Buffer.concat(parts).toString(), response);
        else response.writeHead(404).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return new ScriptedModel(`http://127.0.0.1:${port}/v1`, close, (listener) => (answer = listener), steps);
  }

  close(): void {
    this.#close();
  }

  async #answer(body: string, to: ServerResponse, steps: readonly Step[]): Promise<void> {
    const { input } = JSON.parse(body) as { input: Item[] };
    const outputs = input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textOf(output));
    const turn: Turn = { input, outputs };
    const step = steps[this.turns.length] ?? (() => [say('done')]);
    this.turns.push(turn);
    const items = await step(turn);
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, data: object): void =>
      void to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    send('response.created', { response: { id: `response-${this.turns.length}` } });
    for (const [i, item] of items.entries()) send('response.output_item.done', { output_index: i, item });
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    send('response.completed', { response: { id: `response-${this.turns.length}`, usage } });
    to.end();
  }
}

const textOf = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output));

const say = (text: string): Item => ({
  type: 'message',
  role: 'assistant',
  id: 'message',
  content: [{ type: 'output_text', text }],
});

let calls = 0;
export const call = (name: string, args: object): Item => {
  calls += 1;
  return {
    type: 'function_call',
    id: `item-${calls}`,
    call_id: `call-${calls}`,
    name,
    arguments: JSON.stringify(args),
  };
};

/** A call that runs a command and waits for it; `yield_time_ms` is when the agent stops waiting. */
export const run = (cmd: string, options: { tty?: boolean; yield_time_ms?: number } = {}): Item =>
  call('exec_command', { cmd, yield_time_ms: 20_000, max_output_tokens: 2_000_000, ...options });

/** A call that types into the process of an earlier answer; without characters, it only waits. */
export const type = (turn: Turn, chars: string, yieldMs = 5000): Item =>
  call('write_stdin', {
    session_id: sessionOf(turn),
    chars,
    yield_time_ms: yieldMs,
    max_output_tokens: 2_000_000,
  });

export const view = (path: string): Item => call('view_image', { path });

export const patch = (lines: readonly string[]): Item =>
  run(["apply_patch <<'EOF'", '*** Begin Patch', ...lines, '*** End Patch', 'EOF'].join('\n'));

/** The agent's number of a process that is still running. */
function sessionOf({ outputs }: Turn): number {
  const [, id] =
    outputs.map((output) => /session ID (\d+)/.exec(output)).findLast((match) => match !== null) ?? [];
  if (id === undefined) throw new Error('the agent has named no process that goes on');
  return Number(id);
}
