// Exits with an error on an outdated Node; scripts import this file first, before newer features are used.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`exec-console needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

// `npm start` becomes the gateway; this listener prevents Node from opening its inspector on SIGUSR1.
process.on('SIGUSR1', () => {});
