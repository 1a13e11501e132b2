// Builds the command once for all test files of a run that use it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of this run's build, which the first test that needs it creates. */
    readonly builtProducts: string;
  }
}

/** Vitest's `globalSetup` of the projects whose tests run the built command. */
export default function setUp(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-products-'));
  // Some tests run it as another user.
  chmodSync(folder, 0o755);
  project.provide('builtProducts', folder);
  return () => rmSync(folder, { recursive: true });
}
