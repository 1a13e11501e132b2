// A model that follows a script, over the API that the agent uses; the default API is a minimal Responses API.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Item {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A request to the model, which contains all input so far. */
export interface Turn {
  readonly input: readonly object[];
  /** Outputs of the calls, in the order in which they appear in the input. */
  readonly outputs: readonly string[];
  /** Names of the tools that the agent offers. */
  readonly tools: readonly string[];
}

/** API between an agent and its model. Scripts use the items of the Responses API for every dialect. */
export interface Dialect {
  /** Pattern for the paths of the requests that the model answers; other paths are answered with 404. */
  readonly paths: RegExp;
  /**
   * Returns the turn of a request; null for a request outside the conversation (a title, a count), which
   * consumes no step.
   */
  readonly read: (request: unknown) => Turn | null;
  /** Writes the model's answer; `n` is the number of the turn, or 0 for a request outside the conversation. */
  readonly write: (items: readonly Item[], to: ServerResponse, n: number) => void;
}

/** One answer of the model; after the last step, the model reports that it is done. */
export type Step = (turn: Turn) => readonly Item[] | Promise<readonly Item[]>;

export class ScriptedModel {
  /** Address of the model, without a path. */
  readonly origin: string;
  readonly url: string;
  readonly turns: Turn[] = [];
  readonly #close: () => void;
  readonly #dialect: Dialect;

  private constructor(
    origin: string,
    close: () => void,
    listen: (answer: (body: string, to: ServerResponse) => void) => void,
    steps: readonly Step[],
    dialect: Dialect,
  ) {
    this.origin = origin;
    this.url = `${origin}/v1`;
    this.#close = close;
    this.#dialect = dialect;
    listen((body, to) => void this.#answer(body, to, steps));
  }

  static async start(steps: readonly Step[], dialect: Dialect = RESPONSES): Promise<ScriptedModel> {
    let answer: (body: string, to: ServerResponse) => void = () => {};
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { pathname } = new URL(request.url ?? '/', 'http://model');
        if (dialect.paths.test(pathname)) answer(Buffer.concat(parts).toString(), response);
        else response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return new ScriptedModel(
      `http://127.0.0.1:${port}`,
      close,
      (listener) => (answer = listener),
      steps,
      dialect,
    );
  }

  close(): void {
    this.#close();
  }

  async #answer(body: string, to: ServerResponse, steps: readonly Step[]): Promise<void> {
    const turn = this.#dialect.read(JSON.parse(body));
    if (!turn) return this.#dialect.write([message('done')], to, 0);
    const step = steps[this.turns.length] ?? (() => [message('done')]);
    const n = this.turns.push(turn);
    // A failing step ends the script: the agent exits, and the outcome shows how far it got.
    const items = await Promise.resolve(turn)
      .then(step)
      .catch(() => [message('done')]);
    this.#dialect.write(items, to, n);
  }
}

export const RESPONSES: Dialect = {
  paths: /\/responses$/,
  read: (request) => {
    const { input, tools = [] } = request as { input: Item[]; tools?: { name?: string; type: string }[] };
    return {
      input,
      outputs: input
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => textOf(output)),
      tools: tools.map(({ name, type }) => name ?? type),
    };
  },
  write: (items, to, n) => {
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, data: object): void =>
      void to.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    send('response.created', { response: { id: `response-${n}` } });
    for (const [i, item] of items.entries()) send('response.output_item.done', { output_index: i, item });
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    send('response.completed', { response: { id: `response-${n}`, usage } });
    to.end();
  },
};

/** Returns the text of an output; other parts, such as images, are included as JSON. */
function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return JSON.stringify(output);
  return output
    .map((part: { type?: string; text?: string }) =>
      part.type === 'input_text' ? part.text : JSON.stringify(part),
    )
    .join('\n');
}

const message = (text: string): Item => ({
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

/** Returns a call that runs a command and waits for it; the agent stops waiting after `yield_time_ms`. */
export const run = (cmd: string, options: { tty?: boolean; yield_time_ms?: number } = {}): Item =>
  call('exec_command', { cmd, yield_time_ms: 20_000, max_output_tokens: 2_000_000, ...options });

/** Returns a call that types into the process with the newest session ID; without characters the call only waits. */
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

/** Returns the newest session ID that the agent has reported for a running process; throws if there is none. */
export function sessionOf({ outputs }: Turn): number {
  const [, id] =
    outputs.map((output) => /session ID (\d+)/.exec(output)).findLast((match) => match !== null) ?? [];
  if (id === undefined) throw new Error('the agent has reported no running process');
  return Number(id);
}
