// Tests that the page contains the hashes of its scripts before it loads any.
import { expect, it } from 'vitest';
import { withIntegrity } from './integrity.mjs';

it('withIntegrity adds an import map with the hash of every script before the first one', () => {
  const html = [
    '<head>',
    '    <script type="module" src="./assets/a.js"></script>',
    '    <link rel="modulepreload" href="./assets/b.js">',
    '</head>',
  ];
  // printf x | openssl dgst -sha384 -binary | base64
  const x = 'sha384-11LCxR+6DimqGQVwqdQlPkQHegWNMpf6OlYw1b0BJiL5fCisrtMTtcg7uZDKp9qF';
  expect(withIntegrity(html.join('\n'), ['a.js', 'b.js'], () => 'x').split('\n')).toEqual([
    '<head>',
    `    <script type="importmap">{"integrity":{"./assets/a.js":"${x}","./assets/b.js":"${x}"}}</script>`,
    `    <script type="module" src="./assets/a.js" integrity="${x}"></script>`,
    `    <link rel="modulepreload" href="./assets/b.js" integrity="${x}">`,
    '</head>',
  ]);
});
