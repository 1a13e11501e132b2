// Configuration of the browser tests, which run against the built gateway.
import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Browser tests mostly wait, so one worker more than there are cores uses the idle time.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env['E2E_REPORTER'] ?? 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Traces are off by default, since they add an eighth to each test's time; `npm run e2e -- --trace
    // retain-on-failure` enables them.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
