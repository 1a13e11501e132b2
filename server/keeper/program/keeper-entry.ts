// The keeper: runs the processes of one state folder across restarts of the gateway. Arguments: state folder and socket
// path; in an upgrade also the mode, and the descriptor of the passed state.
import { ftruncateSync, writeSync } from 'node:fs';
import { withholdInherited } from '../../host/inherited.ts';
import { confine, resumeMarks } from '../../host/lineage.ts';
import { locked } from '../../host/libc.ts';
import { APPEND, openRegular } from '../../host/regular-file.ts';
import { lockPath } from '../wire/place.ts';
import { READY, REFUSED, TAKEN } from '../wire/start-answer.ts';
import { programId } from '../wire/program-id.ts';
import { Door } from './door.ts';
import { decodePassed, sumIn, type Passed } from './passed.ts';
import { readPassed, type Mode } from './upgrade.ts';

/** Time between SIGTERM and SIGKILL for all processes when the keeper is stopped by a signal. */
const GRACE_MS = 3000;

const [file = '', stateDir = '', socket = '', mode, descriptor] = process.argv.slice(1);
const passed = mode === undefined ? null : takenOver(mode as Mode, Number(descriptor));
const lock = passed?.keeper.lock ?? takeLock();

withholdInherited();
if (passed) resumeMarks(passed.keeper.marks);
confine();
const door = new Door({ path: socket, stateDir, lock, program: programId(file) }, () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void door.stop(GRACE_MS));
// SIGHUP is ignored, so that no terminal ends the keeper; SIGUSR1 would open Node's inspector.
for (const signal of ['SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => {});
process.stdout.on('error', () => {});
if (passed) await door.resume(passed);
else {
  await door.listen().catch(refuse);
  process.stdout.write(READY);
}
process.on('uncaughtException', (error) => door.defect(error));

/**
 * Returns the passed state. A rehearsal instead prints the state's checksum, which proves that it could decode the
 * state, and exits.
 */
function takenOver(what: Mode, from: number): Passed {
  const bytes = readPassed(from);
  const all = decodePassed(bytes);
  if (what === 'resume') return all;
  writeSync(1, sumIn(bytes));
  process.exit(0);
}

function takeLock(): number {
  try {
    // The lock is held as long as the descriptor is open.
    const taken = openRegular(lockPath(stateDir), APPEND);
    if (!locked(taken)) process.exit(TAKEN);
    // The PID in the lock file is only information for people and other programs; it does not affect the lock.
    ftruncateSync(taken);
    writeSync(taken, `${process.pid}\n`);
    return taken;
  } catch (error) {
    return refuse(error);
  }
}

/** Prints the error to stdout, which the gateway reads, and exits. */
function refuse(error: unknown): never {
  writeSync(1, error instanceof Error ? error.message : String(error));
  process.exit(REFUSED);
}
