// Three kinds of tests: `unit` is pure and quick, `integration` (*.int.test.ts) starts real processes and servers, and
// `nightly` (*.nightly.test.ts, `npm run nightly`) measures or tries for long, on a machine that does nothing else.
import { defineConfig } from 'vitest/config';

const integration = ['{client,server,tools}/**/*.int.test.ts'];
const nightly = ['{server,web}/**/*.nightly.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{protocol,text,client,server,tools,bench,docs}/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.mjs',
          ],
          exclude: [...integration, ...nightly],
          // Against one that hangs: how quick a test is says nothing on a machine that has other things to do.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: integration,
          testTimeout: 120_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
          // Two cores: tests that start many processes would only wait for each other.
          fileParallelism: false,
        },
      },
      { test: { name: 'nightly', include: nightly, testTimeout: 600_000, fileParallelism: false } },
    ],
  },
});
