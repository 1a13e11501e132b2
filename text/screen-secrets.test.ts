// Masking of secrets on a screen, including a beginning that later output may complete: rule SC9.
import { expect, it } from 'vitest';
import { SECRET_VECTORS } from '../server/testing/secret-vectors.ts';
import { maskSpans } from './masking.ts';
import { screenSecrets } from './screen-secrets.ts';

const shown = (text: string): string => maskSpans(text, screenSecrets(text));
const [{ before, secret } = { before: '', secret: '' }] = SECRET_VECTORS;
const begun = `${before}${secret.slice(0, 8)}`;
const stars = `${before}${'*'.repeat(8)}`;

it('[SC9] the beginning of a secret is masked at the end of any row, and a whole one anywhere', () => {
  expect(shown(`\u001b[H$ ${begun}`)).toBe(`\u001b[H$ ${stars}`);
  expect(shown(`\u001b[H$ ${begun}\u001b[0m\r\n\r\nrow\u001b[1;15H`)).toBe(
    `\u001b[H$ ${stars}\u001b[0m\r\n\r\nrow\u001b[1;15H`,
  );
  expect(shown(`a ${before}${secret} b\r\nc`)).toBe(`a ${before}${'*'.repeat(secret.length)} b\r\nc`);
});

it('[SC9] the letter at the cursor, which a screen draws last and apart from its word, is masked', () => {
  const drawn = (word: string, last: string): string =>
    `$ ${word}\r\n\r\n\u001b[1;1H\u001b7\u001b[1;14H\u001b[0m${last}`;
  expect(shown(drawn(begun, 'x'))).toBe(drawn(stars, '*'));
  expect(shown(drawn('plain', 'x'))).toBe(drawn('plain', 'x'));
});

it('[SC9] nothing else on a screen is masked', () => {
  const text = '\u001b[0m$ ls -l\r\nghp_ eyJ http://localhost:3000 password:\r\n\u001b[2;3H$';
  expect(shown(text)).toBe(text);
});
