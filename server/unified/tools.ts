// The tools as clients see them: names, descriptions, JSON schemas, hints.

export interface Tool {
  readonly name: 'exec_command' | 'write_stdin' | 'list_sessions' | 'read_output' | 'terminate';
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [member: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean | string>>;
}

const whole = (description: string, minimum = 0) => ({ type: 'integer', minimum, description });
const text = (description: string) => ({ type: 'string', description });
const flag = (description: string) => ({ type: 'boolean', description });

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});

const YIELD =
  'Milliseconds to wait for the process to end before the call returns; after that it keeps running, and write_stdin waits for more output.';
const MOST_TOKENS = 'Maximum tokens of output to return; longer output is cut in the middle. Default 10000.';

export const TOOLS: readonly Tool[] = [
  {
    name: 'exec_command',
    description:
      'Runs a shell command. Returns its output when it has ended. If it is still running when the call returns, returns the output so far and a session ID.',
    inputSchema: object(
      {
        cmd: text('Shell script to run.'),
        workdir: text('Folder to run the script in; a relative path is resolved against the default folder.'),
        shell: text("Shell to run the script with; default: the user's shell."),
        login: flag('Whether the shell is a login shell (-l). Default true.'),
        tty: flag(
          'Whether to run the script in a terminal, which keeps stdin open for write_stdin. Default false: plain pipes, stdin closed.',
        ),
        yield_time_ms: whole(`${YIELD} 250 to 30000, default 10000.`),
        max_output_tokens: whole(MOST_TOKENS),
        sandbox_permissions: {
          type: 'string',
          enum: ['use_default', 'require_escalated'],
          description:
            'require_escalated asks a person to approve running the command without the sandbox. Default use_default.',
        },
        justification: text(
          'Only with require_escalated: the question to show the person who decides, including the reason, such as "Do you want to …?"',
        ),
        prefix_rule: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Only with require_escalated: the first words of commands that the person who decides may permanently allow.',
        },
      },
      ['cmd'],
    ),
    annotations: { title: 'Run a command', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'write_stdin',
    description:
      'Writes characters to a session of exec_command; without characters, only waits for more output. Returns the output since the last call.',
    inputSchema: object(
      {
        session_id: whole('Session ID returned by exec_command.'),
        chars: text('Characters to write; empty to wait for output. "\\u0003" is Ctrl-C.'),
        yield_time_ms: whole(
          `${YIELD} With chars: 250 to 30000, default 250. Without: 5000 to 300000, default 5000.`,
        ),
        max_output_tokens: whole(MOST_TOKENS),
      },
      ['session_id'],
    ),
    annotations: { title: 'Write to a session', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'list_sessions',
    description: 'Lists the sessions of this agent: ID, state, terminal, folder, command.',
    inputSchema: object({}),
    annotations: { title: 'List sessions', readOnlyHint: true },
  },
  {
    name: 'read_output',
    description:
      'Returns output of a session again, even after it has ended. This does not change what write_stdin returns.',
    inputSchema: object(
      {
        session_id: whole('Session ID returned by exec_command.'),
        last_lines: whole('Return only this many lines, from the end. Default: all retained lines.'),
        after_bytes: whole('Return only the output after this many bytes. Default 0.'),
        max_output_tokens: whole(MOST_TOKENS),
      },
      ['session_id'],
    ),
    annotations: { title: 'Read output again', readOnlyHint: true },
  },
  {
    name: 'terminate',
    description:
      'Ends a session: sends SIGTERM to all of its processes, then SIGKILL to those that remain after the grace period.',
    inputSchema: object(
      {
        session_id: whole('Session ID returned by exec_command.'),
        grace_ms: whole('Milliseconds between SIGTERM and SIGKILL. 0 to 60000, default 2000.'),
      },
      ['session_id'],
    ),
    annotations: { title: 'End a session', destructiveHint: true },
  },
];
