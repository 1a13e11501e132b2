// The commands that the banner suggests to the person who starts the gateway.
import { expect, it } from 'vitest';
import { banner, commandOf } from './banner.ts';

const MAIN = '/built/dist/server/main.js';

it.each([
  ['bin/exec-console', '/', 'exec-console link --role admin'],
  ['scripts/start.mjs', '/built', 'npx exec-console link --role admin'],
  [MAIN, '/built/web', 'npx exec-console link --role admin'],
  ['/x/_npx/1/node_modules/.bin/exec-console', '/built', 'npx exec-console link --role admin'],
  ['/x/_npx/1/node_modules/.bin/exec-console', '/', 'node built/dist/server/main.js link --role admin'],
  [MAIN, '/elsewhere', 'node ../built/dist/server/main.js link --role admin'],
])('the banner of a gateway started as %s in %s suggests: %s', (program, cwd, line) => {
  const facts = { pageUrl: 'http://x/', agentUrl: 'ws://x/', stateDir: null, note: null, colours: false };
  expect(banner({ ...facts, command: commandOf(program, MAIN, cwd) })).toContain(`  ${line}\n`);
});

it('the banner names a state folder that is not the default, which a command would not find', () => {
  const facts = {
    pageUrl: 'http://x/',
    agentUrl: 'ws://x/',
    command: 'exec-console',
    note: null,
    colours: false,
  };
  expect(banner({ ...facts, stateDir: '/srv/my state' })).toContain(
    "  exec-console link --role admin --state-dir '/srv/my state'\n",
  );
});

it('commandOf quotes a path that a shell would split', () => {
  expect(commandOf('main.js', "/it's here/dist/server/main.js", '/')).toBe(
    String.raw`node 'it'\''s here/dist/server/main.js'`,
  );
});
