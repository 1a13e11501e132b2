// The tool `approve`, through which `claude -p --permission-prompt-tool` asks a person before it uses any tool.
import { z } from 'zod';
import { headOf } from '../../text/cut.ts';
import { toolInputText } from '../../text/tool-input.ts';
import { uriFromPath } from '../host/file-uri.ts';
import type { Answer } from '../unified/answer.ts';
import type { Call } from '../unified/attention.ts';
import { problemIn } from './messages.ts';
import type { Exec } from './room.ts';

/**
 * Time limits for a person's decision. Claude Code aborts a silent HTTP call after 5 minutes, and one that
 * reports progress after a day.
 */
const QUIET_MS = 270_000;
const REPORTED_MS = 23 * 60 * 60_000;
const PROGRESS_MS = 10_000;

export const APPROVE = {
  name: 'approve',
  description:
    'For --permission-prompt-tool only, never to be called by a model: asks a person in the console whether a tool may be used.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_name: { type: 'string' },
      input: { type: 'object' },
      tool_use_id: { type: 'string' },
    },
    required: ['tool_name', 'input'],
  },
  annotations: { title: 'Ask a person', readOnlyHint: true },
} as const;

const params = z.object({
  tool_name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

export async function approve(exec: Exec, args: unknown, call: Call): Promise<Answer> {
  const { data, error } = params.safeParse(args);
  if (!data) return { text: `approve failed: ${problemIn(error)}`, isError: true };
  const { tool_name: tool, input, tool_use_id: id } = data;
  const command = tool === 'Bash' ? input['command'] : undefined;
  const { progress } = call;
  const timer = progress && setInterval(() => progress('waiting for approval'), PROGRESS_MS);
  try {
    const result = await exec.ask(
      {
        tool: headOf(tool, 200),
        ...(typeof command === 'string' && { argv: ['bash', '-c', command] }),
        input: toolInputText(input, typeof command === 'string'),
        cwd: uriFromPath(call.cwd ?? '/'),
        metadata: metadataOf(call, id ?? null),
        // An agent without this tool would ask its own user every time, so the tool asks a person under every policy.
        everyTime: true,
      },
      { signal: AbortSignal.any([call.signal, AbortSignal.timeout(progress ? REPORTED_MS : QUIET_MS)]) },
    );
    return answerWith(
      result?.decision === 'accept'
        ? { behavior: 'allow', updatedInput: input }
        : { behavior: 'deny', message: result?.message ?? NOBODY },
    );
  } catch (cause) {
    return answerWith({ behavior: 'deny', message: `nobody could be asked: ${(cause as Error).message}` });
  } finally {
    clearInterval(timer);
  }
}

const NOBODY = 'nobody answered in time, so the tool was not used; this is not a denial';

const metadataOf = ({ thread, callId, model }: Call, id: string | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ threadId: thread, toolCallId: id ?? callId, model }).flatMap(([name, value]) =>
      value == null ? [] : [[name, value]],
    ),
  );

const answerWith = (decision: object): Answer => ({ text: JSON.stringify(decision), isError: false });
