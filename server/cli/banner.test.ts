// What a person who started the gateway is told to type.
import { expect, it } from 'vitest';
import { banner, commandOf } from './banner.ts';

it.each([
  ['bin/exec-console', 'exec-console link --role admin'],
  ['checkout/scripts/start.mjs', 'npx exec-console link --role admin'],
  ['checkout/dist/server/main.js', 'npx exec-console link --role admin'],
])('started as %s: %s', (program, line) => {
  const told = { pageUrl: 'http://x/', agentUrl: 'ws://x/', note: null, colours: false };
  expect(banner({ ...told, command: commandOf(program) })).toContain(`  ${line}\n`);
});
