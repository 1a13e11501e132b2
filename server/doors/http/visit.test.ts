// Tests that a logged path contains no credential: rule SC3.
import { expect, it } from 'vitest';
import { shown } from './visit.ts';

/** Token of a token file, as `openssl rand -base64 32` prints it. */
const BASE64 = 'dGhlLXNlY3Jl+C1vZi1hLXR/a2VuLTAx+jM0NTY3ODk=';
const TOKEN = 'dGhlLXNlY3JldC1vZi1hLXRva2VuLTAxMjM0NTY3ODk';

it.each([
  [`/token=${TOKEN}`, '/…'],
  [`/a/${TOKEN}/b`, '/a/…/b'],
  [`/${encodeURIComponent(TOKEN)}?token=${TOKEN}`, '/…?…'],
  [`/${BASE64}`, '/…'],
  [`/token=${BASE64}`, '/…'],
  [`/a!${TOKEN.replaceAll('L', '!')}`, '/…'],
  ['http://ada:hunter2@host/x', 'http://…@host/x'],
  ['//token@host/x', '//…@host/x'],
  ['/auth/challenge?id=1', '/auth/challenge?…'],
  ['/assets/index-CjT3abcd.js', '/assets/index-CjT3abcd.js'],
  ['/assets/jetbrains-mono-latin-wght-normal-B9CIFXIH.woff2', '/assets/…'],
])('[SC3] the logged path of %s has no credential', (url, path) => {
  expect(shown({ method: 'GET', url })).toEqual({ method: 'GET', path });
});
