// Five kinds of tests: `unit` is pure and quick (`unit-apart`: with isolated modules); `page`
// (*.page.test.ts) loads the page in happy-dom; `integration` (*.int.test.ts) starts real processes and
// servers; `integration-alone` runs those that other tests would disturb; `nightly` (*.nightly.test.ts, `npm
// run nightly`) has long measurements and tests for an otherwise idle machine.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const integration = ['{client,server,tools}/**/*.int.test.ts'];
const pages = ['web/**/*.page.test.ts'];
const nightly = ['{server,tools,web}/**/*.nightly.test.ts'];

/** Tests that use both cores, have tight timeouts for real work, or permanently change the user of their process. */
const alone = [
  'server/doors/ping-window.int.test.ts',
  'server/host/sandbox/as-user.int.test.ts',
  'server/host/sandbox/enclosed-unprivileged.int.test.ts',
  'server/resources.int.test.ts',
  'server/rpc/wire-fuzz.int.test.ts',
  'tools/faults/faults.int.test.ts',
];

const HOUSES = ['protocol', 'text', 'client', 'server', 'tools', 'bench', 'docs', 'web', 'scripts'];
const CHANGES_OTHERS =
  /\bvi\.(mock|resetModules|stubGlobal)\(|Object\.(assign|defineProperty)\((globalThis|window|navigator|document)/;
/**
 * Unit tests that replace modules or globals, which would affect others in the same process, so each is
 * isolated.
 */
const apart = HOUSES.flatMap((house) =>
  readdirSync(join(import.meta.dirname, house), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.page|\.int|\.nightly)\.test\.\w+$/.test(file))
    .map((file) => `${house}/${file}`),
).filter((file) => CHANGES_OTHERS.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

/** Vitest would otherwise leave one core free, which is half of a two-core machine. */
const maxWorkers = 2;
/** Integration tests mostly wait for their processes, so twice as many workers as cores use the idle time. */
const maxWaitingWorkers = 4;
const ofUnit = {
  maxWorkers,
  sequence: { groupOrder: 1 },
  // The timeout catches only hangs; on a busy machine, speed proves nothing.
  testTimeout: 30_000,
  expect: { poll: { timeout: 20_000 } },
};
const ofIntegration = {
  globalSetup: 'server/testing/built-product.ts',
  setupFiles: 'server/testing/own-home.ts',
  testTimeout: 120_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    // Projects with different numbers of workers run one after the other, in this order.
    projects: [
      {
        test: {
          name: 'unit',
          include: [`{${HOUSES.join(',')}}/**/*.test.{ts,tsx,mjs}`],
          exclude: [...integration, ...nightly, ...pages, ...apart],
          // Loading the modules for each file takes longer than running it.
          isolate: false,
          ...ofUnit,
        },
      },
      { test: { name: 'unit-apart', include: apart, ...ofUnit } },
      {
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'page',
          include: pages,
          environment: 'happy-dom',
          // Isolation is not needed: the page is loaded with fresh modules for each test.
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          expect: ofUnit.expect,
          // Selects the production build of React, which ships and is twice as fast.
          env: { NODE_ENV: 'production' },
        },
      },
      {
        test: {
          name: 'integration',
          include: integration,
          exclude: alone,
          isolate: false,
          maxWorkers: maxWaitingWorkers,
          sequence: { groupOrder: 2 },
          ...ofIntegration,
        },
      },
      {
        test: {
          name: 'integration-alone',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          ...ofIntegration,
        },
      },
      {
        test: {
          name: 'nightly',
          include: nightly,
          globalSetup: ofIntegration.globalSetup,
          testTimeout: 600_000,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
