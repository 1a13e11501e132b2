// How the browser tests run: against the built gateway, each test with one of its own.
import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // With more than one for each core, floods do not come to their end within the limits of their tests.
  workers: availableParallelism(),
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env['E2E_REPORTER'] ?? 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A trace costs every test an eighth of its time: `npm run e2e -- --trace retain-on-failure` has it.
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
