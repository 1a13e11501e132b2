// Mutation testing: changes the code in small ways, and requires that unit tests fail for most of the changes.
//
//   npm run mutation -- [--incremental FOLDER] [NAME …]
//
// A name is that of a folder in folders.ts; without one, all are tested.
//
// Results are stored in FOLDER with `--incremental`, and the next run tests only what has changed since.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { FOLDERS, type Folder } from './folders.ts';
import { judge, type Listed, type Survivor, type Verdict } from './verdict.ts';

/** Lowest accepted score of a folder, in percent. */
const LEAST_SCORE = 85;
/** Time allowed beyond the usual time of a mutant's tests; less would count survivors as detected on a busy machine. */
const LIMIT_MS = 10_000;

const ROOT = join(import.meta.dirname, '../..');
const listed = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Listed[];
const { values, positionals } = parseArgs({
  options: { incremental: { type: 'string' } },
  allowPositionals: true,
});

const failed: string[] = [];
for (const folder of FOLDERS) {
  if (positionals.length > 0 && !positionals.includes(folder.name)) continue;
  const { verdict, isGood } = await test(folder);
  report(folder, verdict);
  if (!isGood) failed.push(folder.name);
}
if (failed.length > 0) console.error(`Too many mutants survived in ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

async function test(folder: Folder): Promise<{ verdict: Verdict; isGood: boolean }> {
  console.log(`\n${folder.name}`);
  const temporary = mkdtempSync(join(tmpdir(), 'exec-console-mutation-'));
  // The configuration tools/mutation/vitest.config.ts reads the variable in Stryker's child process.
  process.env['MUTATION_TESTS'] = folder.tests.join(',');
  try {
    const mutants = await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
      mutate: [...folder.mutated, '!**/*.test.ts', '!**/testing/**'],
      coverageAnalysis: 'perTest',
      concurrency: 1,
      timeoutMS: LIMIT_MS,
      reporters: ['progress-append-only'],
      tempDirName: join(temporary, 'copy'),
      ignorePatterns: ['dist', 'docs/screenshots', 'docs/performance', 'public', 'web', 'bench', 'e2e'],
      // Stryker cannot rewrite tsconfig files with TypeScript 7, and no test reads them.
      tsconfigFile: 'none',
      ...(values.incremental !== undefined && {
        incremental: true,
        incrementalFile: join(values.incremental, `${folder.name.replaceAll('/', '-')}.json`),
      }),
    }).runMutationTest();
    const isOwn = ({ file }: Listed): boolean => mutants.some(({ fileName }) => own(fileName) === file);
    const verdict = judge(
      mutants.map((mutant) => ({ ...mutant, fileName: own(mutant.fileName) })),
      listed.filter(isOwn),
      (file) => readFileSync(join(ROOT, file), 'utf8'),
    );
    return { verdict, isGood: verdict.score >= LEAST_SCORE };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function own(fileName: string): string {
  return fileName.startsWith(ROOT) ? fileName.slice(ROOT.length + 1) : fileName;
}

function report({ name }: Folder, verdict: Verdict): void {
  const { mutants, detected, score, explained, unexplained, outdated } = verdict;
  for (const survivor of unexplained) console.log(line(survivor));
  for (const each of outdated) console.log(`Listed, but detected or gone: ${line({ ...each, line: 0 })}`);
  console.log(
    `${name}: ${score.toFixed(1)} %, ${detected} of ${mutants} mutants detected, ` +
      `${explained} survivors with a reason, ${unexplained.length} without`,
  );
}

function line({ file, line, code, becomes }: Survivor): string {
  return `${file}:${line}\n  - ${code}\n  + ${becomes}`;
}
