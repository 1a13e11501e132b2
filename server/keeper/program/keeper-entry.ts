// The keeper: holds the processes of one state folder while gateways come and go. Its arguments: the folder, the socket.
import { ftruncateSync, openSync, writeSync } from 'node:fs';
import { withholdInherited } from '../../host/inherited.ts';
import { confine } from '../../host/lineage.ts';
import { locked } from '../../host/libc.ts';
import { lockPath } from '../wire/place.ts';
import { Door } from './door.ts';

/** Exit code when another keeper has the folder. */
const TAKEN = 3;

/** Time between SIGTERM and SIGKILL for all processes when the keeper itself is to end. */
const GRACE_MS = 3000;

const [stateDir = '', socket = ''] = process.argv.slice(2);
// The descriptor stays open, and the lock with it.
const lock = openSync(lockPath(stateDir), 'a', 0o600);
if (!locked(lock)) process.exit(TAKEN);
// Its pid, for people that look for it.
ftruncateSync(lock);
writeSync(lock, `${process.pid}\n`);

withholdInherited();
confine();
const door = new Door(socket, stateDir, () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void door.stop(GRACE_MS));
// It has no terminal, and no gateway's terminal ends it. SIGUSR1 would open Node's inspector.
for (const signal of ['SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => {});
await door.listen();
process.stdout.on('error', () => {});
process.stdout.write('ready\n');
