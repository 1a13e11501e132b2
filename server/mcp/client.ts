// Parses how an MCP client describes itself in `initialize`, within limits.
import { z } from 'zod';
import { visible } from '../../text/visible.ts';
import { budgetOf } from './budgets.ts';
import { headOf } from '../../text/cut.ts';

/** Maximum number of characters retained of a name, an id or a version. */
const SHORT = 100;
const LONGEST_PATH = 4096;

/** Members of `_meta` that `exec-console mcp` adds, because only it can determine their values. */
export const OWN_META = {
  cwd: 'exec-console/cwd',
  thread: 'exec-console/thread',
  budgetMs: 'exec-console/budgetMs',
} as const;

export interface McpClient {
  readonly name: string;
  readonly version: string | null;
  /** True when the client can list its folders. */
  readonly hasRoots: boolean;
  /** True when the client can show a form to its user. */
  readonly elicits: boolean;
  /** Folder in which the client runs; null when unknown, for example on another machine. */
  readonly cwd: string | null;
  readonly thread: string | null;
  /** Time limit for each call, in ms. */
  readonly budgetMs: number;
}

const params = z.object({
  clientInfo: z.object({ name: z.string(), version: z.string().optional() }),
  capabilities: z.object({ roots: z.looseObject({}).optional(), elicitation: z.looseObject({}).optional() }),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** Returns the text, truncated and with hidden characters escaped; null when it is empty or not a string. */
export function shortText(value: unknown, most = SHORT): string | null {
  return typeof value === 'string' && value !== '' ? headOf(visible(headOf(value, most)), most) : null;
}

/** Returns the client's description; null when `initialize` lacks the capabilities or the client's name. */
export function clientOf(given: unknown): McpClient | null {
  const { data } = params.safeParse(given);
  if (!data) return null;
  const { clientInfo, capabilities, _meta: meta = {} } = data;
  const name = shortText(clientInfo.name) ?? 'agent';
  const budgetMs = meta[OWN_META.budgetMs];
  return {
    name,
    version: shortText(clientInfo.version),
    hasRoots: capabilities.roots !== undefined,
    elicits: capabilities.elicitation !== undefined,
    cwd: pathOf(meta[OWN_META.cwd]),
    thread: shortText(meta[OWN_META.thread]),
    budgetMs: budgetOf(name, typeof budgetMs === 'number' ? budgetMs : null),
  };
}

export const pathOf = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith('/') && value.length <= LONGEST_PATH && !value.includes('\0')
    ? value
    : null;
