// Environment variables that every command gets in addition to the inherited ones: no colours, no pagers, UTF-8.
import type { EnvironmentPolicy } from '../../protocol/process.ts';

const FORCED = {
  NO_COLOR: '1',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  LC_CTYPE: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  COLORTERM: '',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  CODEX_CI: '1',
};

/** Ids that are put into a program's environment; others are omitted. */
const PLAIN = /^[\x21-\x7e]{1,200}$/;

/** Returns the environment variables for one command, which override the inherited ones. */
export function forcedEnvironment(thread: string | null, callId: string | null): Record<string, string> {
  return {
    ...FORCED,
    ...(thread !== null && PLAIN.test(thread) && { CODEX_THREAD_ID: thread, CODEX_SESSION_ID: thread }),
    ...(callId !== null && PLAIN.test(callId) && { CODEX_TOOL_CALL_ID: callId }),
  };
}

/** Policy that excludes no inherited variable by its name, which is Codex's default. */
export const INHERITED: EnvironmentPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};
