// The rules of axe for the accessibility of a page. AxeBuilder would load axe again for each look and open another page
// for its report, which costs sixteen times as much.
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** Violations that axe finds in the page, as text; the inside of a terminal belongs to its program. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(
      { exclude: ['.xterm'] },
      // A violation needs no style sheets of other origins, which the page does not have.
      { resultTypes: ['violations'], preload: false },
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
