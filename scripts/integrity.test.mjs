// Tests that the page contains the hashes of its scripts before it loads any.
import { expect, it } from 'vitest';
import { withIntegrity } from './integrity.mjs';

it('withIntegrity adds an import map with the hash of every script before the first one', () => {
  const html = '<head>\n    <meta />\n    <script type="module" src="./assets/a.js"></script>\n</head>';
  // printf x | openssl dgst -sha384 -binary | base64
  const x = 'sha384-11LCxR+6DimqGQVwqdQlPkQHegWNMpf6OlYw1b0BJiL5fCisrtMTtcg7uZDKp9qF';
  expect(withIntegrity(html, ['a.js', 'b.js'], () => 'x')).toBe(
    `<head>\n    <meta />\n    <script type="importmap">{"integrity":{"./assets/a.js":"${x}","./assets/b.js":"${x}"}}</script>\n    <script type="module" src="./assets/a.js"></script>\n</head>`,
  );
});
