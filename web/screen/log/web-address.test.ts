// Link targets that may be opened from a terminal.
import { expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

it.each([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
  ['https://аpple.com', 'https://xn--pple-43d.com/'],
  ['https://example.org/\u202egpj.exe', 'https://example.org/%E2%80%AEgpj.exe'],
  ['https://user:secret@example.org', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['ssh://host', null],
  ['/relative', null],
  ['', null],
])('the link target %j is opened as %j', (target, address) => {
  expect(webAddress(target)).toBe(address);
});
