// Built gateways in one process, one after the other: to start Node and load one takes longer than a short test.
// The parent says what each is like; it ends with its parent.
import { createServer } from '../dist/server/server.js';

let server = null;

process.on('message', ({ start, HOME }) => {
  const done = start ? started(start, HOME) : server.close();
  done.then(
    (addresses) => process.send(addresses ?? {}),
    // It would be the parent that waits for ever.
    (error) => process.send({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function started(config, home) {
  process.env.HOME = home;
  server = createServer(config, (level, sentence) => {
    if (level === 'warn' || level === 'error') console.error(sentence);
  });
  const addresses = await server.listen();
  return { url: addresses.url, pageUrl: addresses.pageUrl() };
}
