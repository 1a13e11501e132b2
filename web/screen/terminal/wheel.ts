// The wheel scrolls the scrollback. In a full-screen program it sends input, which only the controller may send.
import type { Terminal } from '@xterm/xterm';
import type { TerminalSessionOptions } from './terminal-session-options.ts';

const TAKE_CONTROL = 'Take control to scroll in this program';
const ONLY_IN_CONTROL = 'Only the controller can scroll in this program';

type Control = Pick<TerminalSessionOptions, 'process' | 'mayType' | 'whyNot'>;

export function guardWheel(
  terminal: Terminal,
  { process, mayType, whyNot }: Control,
  report: (hint: string) => void,
): void {
  terminal.attachCustomWheelEventHandler(() => {
    if (terminal.buffer.active.type === 'normal') return true;
    // Wheel movement that cannot be sent now is not counted among the refused keys.
    if (process.controlled) return mayType();
    report(mayType() ? TAKE_CONTROL : (whyNot() ?? ONLY_IN_CONTROL));
    return false;
  });
}
