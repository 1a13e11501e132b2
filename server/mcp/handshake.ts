// Replies before any call: protocol version, description of the server, and list of tools.
import { APPROVE } from './approve.ts';
import { TOOLS } from '../unified/tools.ts';

/** Supported protocol versions, newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Version = (typeof VERSIONS)[number];

/** Version of an HTTP request without a version header, according to the specification. */
export const UNNAMED_VERSION: Version = '2025-03-26';

/**
 * Returns the client's version if it is supported, otherwise the newest; the client decides whether to
 * continue.
 */
export const negotiated = (asked: unknown): Version => VERSIONS.find((each) => each === asked) ?? VERSIONS[0];

const INSTRUCTIONS =
  'Runs commands on a machine where a person watches them in a console and can type into, approve and end them. ' +
  'exec_command returns after yield_time_ms at the latest. A command that is still running then gets a session ID; ' +
  'use it with write_stdin to wait for more output or to type. Cancelling a call never ends its command: use terminate.';

export const initializeResult = (version: Version, ownVersion: string): object => ({
  protocolVersion: version,
  capabilities: { tools: {} },
  serverInfo: { name: 'exec-console', title: 'exec-console', version: ownVersion },
  instructions: INSTRUCTIONS,
});

/**
 * Number of characters up to which Claude Code is asked not to truncate an answer; the tools limit their answers
 * themselves.
 */
const MOST_SHOWN = 500_000;

/**
 * Returns the tools for a client. No tool has an output schema, because Codex and Claude Code would show
 * structured content instead of the text. The members of `_meta` keep Claude Code from hiding the tools
 * behind a search and from truncating answers again. Only Claude Code gets `approve`, because other models
 * would call it.
 */
export const toolList = (client: string): object => ({
  tools: [...TOOLS, ...(client.startsWith('claude-code') ? [APPROVE] : [])].map((tool) => ({
    ...tool,
    _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': MOST_SHOWN },
  })),
});
