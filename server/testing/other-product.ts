// A copy of the built product with another keeper program, as in a later version of the package.
import { cpSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OtherProduct {
  readonly folder: string;
  readonly main: string;
  readonly keeper: string;
}

/** Copies the product; `change` returns the changed code of its keeper. The caller removes the copy's folder. */
export function otherProduct(product: string, change: (code: string) => string): OtherProduct {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-other-'));
  for (const name of ['dist', 'package.json'])
    cpSync(join(product, name), join(folder, name), { recursive: true });
  symlinkSync(realpathSync(join(product, 'node_modules')), join(folder, 'node_modules'));
  const keeper = join(folder, 'dist/server/keeper.js');
  writeFileSync(keeper, change(readFileSync(keeper, 'utf8')));
  return { folder, main: join(folder, 'dist/server/main.js'), keeper };
}
