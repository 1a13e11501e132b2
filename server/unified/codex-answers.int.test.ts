// Tests that unified exec answers exactly like Codex's own tools; `e2e/agent/unified.ts` checks the expected answers
// against Codex.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparable, SCENARIOS } from '../testing/codex-answers.ts';
import { UnifiedGateway } from '../testing/unified-gateway.ts';

/** Some scenarios wait several seconds for commands. */
const LONG_MS = 60_000;

let gateway: UnifiedGateway;
beforeAll(() => {
  gateway = new UnifiedGateway();
});
afterAll(() => gateway.close());

describe('unified exec', () => {
  it.concurrent.each(SCENARIOS)(
    '[UE1] answers like Codex: $name',
    async ({ steps }) => {
      const folder = mkdtempSync(join(tmpdir(), 'exec-console-unified-'));
      const client = gateway.client({ cwd: folder });
      const sessions: number[] = [];
      try {
        for (const { tool, args, before, answer } of steps) {
          await before?.(folder);
          const { text } = await client.call(tool, args(sessions));
          const [, id] = /session ID (\d+)/.exec(text) ?? [];
          if (id !== undefined && !sessions.includes(Number(id))) sessions.push(Number(id));
          expect(comparable(text, folder)).toBe(answer);
        }
      } finally {
        client.exec.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    LONG_MS,
  );
});
