// Imported first by every script: says so in a sentence when this Node is too old, before anything newer is used.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`exec-console needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

// `npm start` becomes the gateway: SIGUSR1 is taken from Node, which would open its inspector.
process.on('SIGUSR1', () => {});
