// The small project in which the README's processes run.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = `#!/bin/bash
for suite in basket discount receipt search; do
  printf '\\e[7;32m PASS \\e[0m %s.test.ts\\n' "$suite"; sleep 0.1
done
printf '\\e[7;31m FAIL \\e[0m checkout.test.ts\\n\\n  \\e[31m● gives the discount on sale days\\e[0m\\n\\n    expected 90, received 100\\n\\n'
printf '\\e[1mTests:\\e[0m \\e[31m1 failed\\e[0m, \\e[32m23 passed\\e[0m, 24 total\\n'; exec cat`;
const BUILD = `#!/bin/sh
echo 'building 214 modules'; echo 'checkout.ts(6,10): error: isSale is not defined' >&2; echo 'build failed after 1.4 s' >&2; exit 2`;
const SERVER = `#!/bin/bash
printf '\\e[32mready\\e[0m on http://127.0.0.1:3000\\n'; n=0; while :; do n=$((n+1)); printf '\\e[2m%s\\e[0m GET /cart/%d \\e[32m200\\e[0m %d ms\\n' "$(date +%T)" $n $((n*7%23+3)); sleep 0.4; done`;

/** Script that ignores interrupts and SIGTERM, keeps two cores busy, and prints endlessly. */
const RUNAWAY = `#!/bin/bash
trap 'echo "webpack: still cleaning up ..."' INT TERM
printf '\\e]9;out of memory, retrying\\a\\e[33mwarn\\e[0m  out of memory, retrying with 2 workers\\n'
for i in 1 2; do sh -c 'while :; do :; done' & done
n=0; while :; do n=$((n+1)); printf '\\e[2m%5d\\e[0m retrying \\e[36mmodules/%04d.ts\\e[0m\\n' $n $((n*37%9973)); sleep 0.25; done`;

export function makeProject(dir) {
  const source = `import { openCart } from './cart.ts';

/** Adds up the basket, including any discount. */
export function total(items: readonly Item[], today: Date): number {
  const sum = items.reduce((all, item) => all + item.price * item.count, 0);
  return isSale(today) ? sum * 0.9 : sum;
}

export async function checkout(id: string): Promise<Receipt> {
  const cart = await openCart(id);
  const amount = total(cart.items, new Date());
  return { id, amount, paidAt: Date.now() };
}
`;
  writeFileSync(join(dir, 'checkout.ts'), source);
  for (const [name, script] of [
    ['run-tests', TESTS],
    ['build', BUILD],
    ['serve', SERVER],
    ['bundle', RUNAWAY],
  ]) {
    writeFileSync(join(dir, name), script, { mode: 0o755 });
  }
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: dir });
  git('init', '-q');
  for (const message of [
    'Start the shop',
    'Count what is in the basket',
    'Give the discount only on sale days',
    'Check out',
  ]) {
    writeFileSync(join(dir, 'NOTES'), message);
    git('add', '-A');
    git('commit', '-q', '-m', message);
  }
}
