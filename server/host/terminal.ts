// Opens pseudo-terminals: the gateway's end, and the child's end, which the child opens by name.
import { closeSync, constants, openSync } from 'node:fs';
import { done, libc, libcReturning, succeeded } from './libc.ts';
import type { Size } from '../../protocol/scalars.ts';
import { Starved } from './starved.ts';

/** ioctl: sets the size of a terminal. */
const TIOCSWINSZ = process.platform === 'darwin' ? 0x8008_7467 : 0x5414;

const { O_NOCTTY, O_NONBLOCK, O_RDWR } = constants;
const MULTIPLEXER = '/dev/ptmx';
/** Error codes on Linux and macOS when no terminal is left. */
const NONE_LEFT = ['ENOSPC', 'ENXIO'];
const LIMIT = process.platform === 'darwin' ? 'kern.tty.ptmx_max' : 'kernel.pty.max';
const NAME_BYTES = 128;

/** A terminal whose ends no child inherits. */
export interface Terminal {
  /** The gateway's end, which does not block. */
  readonly ours: number;
  /**
   * The child's end. While it is open, the terminal does not end when a program closes all its descriptors of the
   * terminal and opens it again, for example as /dev/tty.
   */
  readonly childs: number;
  readonly name: string;
}

export function openTerminal(size: Size): Terminal {
  const ours = openMultiplexer();
  try {
    succeeded(libc.grantpt(ours));
    succeeded(libc.unlockpt(ours));
    resizeTerminal(ours, size);
    const name = nameOf(ours);
    return { ours, childs: openSync(name, O_RDWR | O_NOCTTY), name };
  } catch (error) {
    closeSync(ours);
    throw error;
  }
}

export function closeTerminal({ ours, childs }: Terminal): void {
  closeSync(ours);
  closeSync(childs);
}

export function resizeTerminal(fd: number, { rows, cols }: Size): void {
  succeeded(libc.ioctl(fd, TIOCSWINSZ, 'void *', Uint16Array.of(rows, cols, 0, 0)));
}

function openMultiplexer(): number {
  try {
    return openSync(MULTIPLEXER, O_RDWR | O_NOCTTY | O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!NONE_LEFT.includes(code)) throw error;
    throw new Starved(`no pseudo-terminals are left (raise ${LIMIT}, or end some processes)`, {
      cause: error,
    });
  }
}

function nameOf(fd: number): string {
  const name = Buffer.alloc(NAME_BYTES);
  done(libcReturning.ptsname(fd, name, NAME_BYTES));
  return name.toString('latin1', 0, name.indexOf(0));
}
