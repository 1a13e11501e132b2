// The events of a process as the first dialect tells them: deltas without a seq, and one end after the last of them.
import { outputFrame, type EventFrames, type Step } from '../delivery/frames.ts';
import type { CommandNotifications } from '../../protocol/command.ts';

export class CommandFrames implements EventFrames {
  readonly #sessionId: string;
  #exitCode = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  of(step: Step): string | Buffer | null {
    switch (step.kind) {
      case 'output': {
        const stream = step.stream === 'stderr' ? 'stderr' : 'stdout';
        const head = `{"method":"command/exec/outputDelta","params":{"sessionId":${JSON.stringify(this.#sessionId)}`;
        return outputFrame(`${head},"stream":"${stream}","chunk":"`, step.bytes);
      }
      case 'exited':
        // Output may follow the exit, and this dialect has no seq to sort by; so it is told at the end.
        this.#exitCode = step.exitCode;
        return null;
      case 'closed':
        return this.#exited();
      case 'gap':
      case 'resized':
        return null;
    }
  }

  #exited(): string {
    const params: CommandNotifications['command/exec/exited'] = {
      sessionId: this.#sessionId,
      exitCode: this.#exitCode,
    };
    return JSON.stringify({ method: 'command/exec/exited', params });
  }
}
