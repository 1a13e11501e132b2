// Runs built gateways one after the other in one process, since starting Node takes longer than a short test.
// The parent sends each configuration; the process ends with its parent.
import { createServer } from '../dist/server/server.js';

let server = null;

process.on('message', ({ start, HOME }) => {
  const done = start ? started(start, HOME) : server.close();
  done.then(
    (addresses) => process.send(addresses ?? {}),
    // The parent would wait forever without a reply.
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
