// Two kinds of tests: `unit` is pure and quick, `integration` (*.int.test.ts) starts real processes and servers.
import { defineConfig } from 'vitest/config';

const integration = ['server/**/*.int.test.ts', 'web/**/*.int.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'server/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'scripts/**/*.test.mjs',
            'bench/**/*.test.ts',
          ],
          exclude: integration,
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
    ],
  },
});
