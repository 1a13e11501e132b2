// The wheel scrolls what is there. In a full-screen program it is a key, and keys are its controller's.
import type { Terminal } from '@xterm/xterm';
import type { TerminalSessionOptions } from './terminal-session-options.ts';

const TAKE_CONTROL = 'Take control to scroll in this program';
const ONLY_IN_CONTROL = 'Only who has control scrolls in this program';

type Control = Pick<TerminalSessionOptions, 'process' | 'mayType' | 'whyNot'>;

export function guardWheel(
  terminal: Terminal,
  { process, mayType, whyNot }: Control,
  say: (hint: string) => void,
): void {
  terminal.attachCustomWheelEventHandler(() => {
    if (terminal.buffer.active.type === 'normal') return true;
    // A turn of it is no key that was pressed, so it is not counted as one.
    if (process.controlled) return mayType();
    say(mayType() ? TAKE_CONTROL : (whyNot() ?? ONLY_IN_CONTROL));
    return false;
  });
}
