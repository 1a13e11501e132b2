// The kernel's terminals: the end that we read and write, and the name under which a child opens the other one.
import { closeSync, constants, openSync } from 'node:fs';
import { done, libc, libcReturning, succeeded } from './libc.ts';
import type { Size } from '../protocol/scalars.ts';
import { Starved } from './starved.ts';

/** ioctl: sets the size of a terminal. */
const TIOCSWINSZ = process.platform === 'darwin' ? 0x8008_7467 : 0x5414;

const { O_NOCTTY, O_NONBLOCK, O_RDWR } = constants;
const MULTIPLEXER = '/dev/ptmx';
const NAME_BYTES = 128;

export interface Terminal {
  /** Does not block, and no child inherits it. */
  readonly fd: number;
  readonly name: string;
}

export function openTerminal(size: Size): Terminal {
  const fd = openMultiplexer();
  try {
    succeeded(libc.grantpt(fd));
    succeeded(libc.unlockpt(fd));
    resizeTerminal(fd, size);
    return { fd, name: nameOf(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export function resizeTerminal(fd: number, { rows, cols }: Size): void {
  succeeded(libc.ioctl(fd, TIOCSWINSZ, 'void *', Uint16Array.of(rows, cols, 0, 0)));
}

function openMultiplexer(): number {
  try {
    return openSync(MULTIPLEXER, O_RDWR | O_NOCTTY | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new Starved('the system has no terminal left (raise kernel.pty.max, or end some processes)', {
      cause: error,
    });
  }
}

function nameOf(fd: number): string {
  const name = Buffer.alloc(NAME_BYTES);
  done(libcReturning.ptsname(fd, name, NAME_BYTES));
  return name.toString('latin1', 0, name.indexOf(0));
}
