// Text of a tool's input, for people who decide whether an agent may use the tool.

/** Members of a command's input that do not change what the command can do, or that are shown elsewhere. */
const PLAIN = new Set(['command', 'description', 'timeout', 'run_in_background', 'is_background']);

/**
 * Returns each member as `name: value`, in full, because a person who approves a tool call approves all of it; for a
 * command, without the members in `PLAIN`.
 */
export function toolInputText(input: { readonly [name: string]: unknown }, hasCommand: boolean): string {
  return (
    Object.entries(input)
      .filter(([name]) => !hasCommand || !PLAIN.has(name))
      // Further lines of a value are indented, so that they do not look like other members.
      .map(([name, value]) =>
        `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`.replaceAll('\n', '\n  '),
      )
      .join('\n')
  );
}
