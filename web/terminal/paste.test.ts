// Pasted text is text.
import { expect, it } from 'vitest';
import { safePaste } from './paste.ts';

it('takes out what would act, and leaves tabs, lines and every script', () => {
  expect(safePaste('a\u001b[201~\u0003b\tc\r\nd\u0085\u007f ☃ 日本')).toBe('a[201~b\tc\r\nd ☃ 日本');
});
