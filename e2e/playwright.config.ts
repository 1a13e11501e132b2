// Configuration of the browser tests: against the built gateway, one for each test.
import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // With more workers than cores, floods do not end within the timeouts of their tests.
  workers: availableParallelism(),
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env['E2E_REPORTER'] ?? 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Traces cost every test an eighth of its time: `npm run e2e -- --trace retain-on-failure` enables them.
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
