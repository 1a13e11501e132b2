// Tests of the URLs that a reverse proxy may have.
import { expect, it } from 'vitest';
import { parsePublicUrl } from './public-url.ts';

it.each([
  ['https://host.example', 'https://host.example/', ['host.example', 'host.example:443']],
  ['https://host.example/console', 'https://host.example/console/', ['host.example', 'host.example:443']],
  ['http://HOST.example:8080/a/b/', 'http://host.example:8080/a/b/', ['host.example:8080']],
])('parsePublicUrl accepts %s', (text, href, authorities) => {
  expect(parsePublicUrl(text)).toEqual({ href, origin: new URL(href).origin, authorities });
});

it.each([
  'host.example',
  'ftp://host.example',
  'https://me@host.example',
  'https://h/?a',
  'https://h/#a',
  'https://h/?',
  'https://h/#',
  '',
])('parsePublicUrl rejects %j', (text) => expect(parsePublicUrl(text)).toBeNull());
