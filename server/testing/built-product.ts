// Builds the command once per test run, for all test files that start it; worker threads and programs that tests start
// come from the same build.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { BUILT_FILES } from '../host/built-file.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly builtProduct: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');

/** Vitest's `globalSetup` of the projects whose tests run the built command. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const product = await buildProduct();
  project.provide('builtProduct', product);
  // Test workers start later and inherit the variable.
  process.env[BUILT_FILES] = join(product, 'dist/server');
  return () => rmSync(product, { recursive: true });
}

/** Builds the command from the source; returns the folder with everything that it needs. */
export async function buildProduct(): Promise<string> {
  const product = mkdtempSync(join(tmpdir(), 'exec-console-product-'));
  // The folder must be readable for a gateway that runs as another user.
  chmodSync(product, 0o755);
  mkdirSync(join(product, 'dist/web'), { recursive: true });
  writeFileSync(join(product, 'dist/web/index.html'), '<!doctype html>');
  writeFileSync(join(product, 'package.json'), '{ "type": "module", "version": "1.2.3" }');
  symlinkSync(join(ROOT, 'node_modules'), join(product, 'node_modules'));
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { ssr: true, outDir: join(product, 'dist/server'), emptyOutDir: true },
  });
  return product;
}
