// Unit tests that mutation testing runs: those of the folders that MUTATION_TESTS lists.
import { defineConfig } from 'vitest/config';

const folders = (process.env['MUTATION_TESTS'] ?? 'protocol').split(',');

export default defineConfig({
  test: {
    include: folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder}/**/*.test.ts`)),
    exclude: ['**/*.{int,nightly,page}.test.ts'],
    // Some files replace modules, and a mutant may corrupt state that test files would otherwise share.
    isolate: true,
    testTimeout: 30_000,
  },
});
