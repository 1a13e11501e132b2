// Reads the facts of one call from `_meta`: thread, tool call and model, which each client names differently.
import { z } from 'zod';
import { shortText } from './client.ts';

export interface CallFacts {
  readonly callId: string | null;
  readonly thread: string | null;
  readonly parentThread: string | null;
  readonly model: string | null;
}

const members = z.record(z.string(), z.unknown()).catch({});

/** Returns the facts of Codex's turn, from an object or its JSON text; empty when the value is neither. */
function turnOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return members.parse(value);
  try {
    return members.parse(JSON.parse(value));
  } catch {
    return {};
  }
}

const first = (...values: readonly unknown[]): string | null =>
  values.map((value) => shortText(value)).find((text) => text !== null) ?? null;

export function callFacts(meta: Readonly<Record<string, unknown>>): CallFacts {
  const turn = turnOf(meta['x-codex-turn-metadata']);
  return {
    callId: first(meta['claudecode/toolUseId'], meta['callId'], meta['exec-console/callId']),
    thread: first(meta['threadId'], turn['thread_id'], meta['exec-console/thread']),
    parentThread: first(turn['parent_thread_id'], meta['exec-console/parentThread']),
    model: first(turn['model'], meta['model'], meta['exec-console/model']),
  };
}
