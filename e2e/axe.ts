// Runs axe in the page. AxeBuilder would load axe again for each check and open another page for its report,
// which takes sixteen times as long.
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** Returns violations found by axe, as text; terminal contents belong to the program and are skipped. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(
      { exclude: ['.xterm'] },
      // The page has no style sheets from other origins, so preloading is unnecessary.
      { resultTypes: ['violations'], preload: false },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
