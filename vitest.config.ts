// Five kinds of tests: `unit` is pure and quick (`unit-apart`: with modules of its own); `page` (*.page.test.ts) loads
// the page in happy-dom; `integration` (*.int.test.ts) starts real processes and servers; `integration-alone` has those
// of them that other tests would disturb; and `nightly` (*.nightly.test.ts, `npm run nightly`) has long measurements
// and tests, for an otherwise idle machine.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const integration = ['{client,server,tools}/**/*.int.test.ts'];
const pages = ['web/**/*.page.test.ts'];
const nightly = ['{server,tools,web}/**/*.nightly.test.ts'];

/** Files that use both cores, have timeouts of seconds that real work must fit in, or become another user for good. */
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
 * Unit tests that replace modules or globals, which would affect other tests in the same process: each gets modules and
 * globals of its own.
 */
const apart = HOUSES.flatMap((house) =>
  readdirSync(join(import.meta.dirname, house), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.page|\.int|\.nightly)\.test\.\w+$/.test(file))
    .map((file) => `${house}/${file}`),
).filter((file) => CHANGES_OTHERS.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

/** Vitest otherwise leaves one core to itself: half of a machine with two cores. */
const maxWorkers = 2;
const ofUnit = {
  maxWorkers,
  sequence: { groupOrder: 1 },
  // Timeout for tests that hang: speed proves nothing on a busy machine.
  testTimeout: 30_000,
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
    // Projects whose numbers of workers differ run one after the other, in this order.
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
          // Each page is loaded anew, with modules of its own, whichever file its test is in.
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          // The production build, which people get and which is twice as fast.
          env: { NODE_ENV: 'production' },
        },
      },
      {
        test: {
          name: 'integration',
          include: integration,
          exclude: alone,
          isolate: false,
          maxWorkers,
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
