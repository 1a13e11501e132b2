// npm run bench:charts -- results.json docs/performance: writes a chart of each measure in the results to
// docs/performance, and the results between the markers in docs/performance.md, so that no figure is typed by hand.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chart } from './chart.ts';
import { MEASURES } from './measures.ts';
import { rowsOf } from './report.ts';
import { withResults, type Results } from './results.ts';

const [file, folder] = process.argv.slice(2);

if (file === undefined || folder === undefined) {
  console.error(
    'usage: npm run bench:charts -- RESULTS.json FOLDER (writes charts to FOLDER, and results to FOLDER.md)',
  );
  process.exitCode = 2;
} else {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  mkdirSync(folder, { recursive: true });
  for (const { name, about } of MEASURES) {
    const rounds = results.rounds.filter(({ measure }) => measure === name);
    if (rounds.length > 0) writeFileSync(join(folder, `${name}.svg`), chart(name, about, rowsOf(rounds)));
  }
  const page = `${folder}.md`;
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), results, basename(folder)));
}
