// Text cut with an ellipsis must not be a scroll container: browser search or a selection would scroll it sideways.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '..');
const FILES = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
const RULES = FILES.flatMap((file) =>
  [...readFileSync(join(WEB, file), 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(
    ([, selector = '', body = '']) => ({ at: `${file}: ${selector.trim()}`, body }),
  ),
);

it('text that ends with an ellipsis is clipped and cannot scroll', () => {
  const cut = RULES.filter(({ body }) => body.includes('text-overflow: ellipsis'));
  expect(cut.length).toBeGreaterThan(20);
  expect(cut.filter(({ body }) => /overflow: hidden/.test(body)).map(({ at }) => at)).toEqual([]);
});
