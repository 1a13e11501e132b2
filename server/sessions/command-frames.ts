// Creates the frames of the first dialect: output deltas without a seq, and one exit after the last of them.
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
        // The exit is sent last, because output may follow it and this dialect has no seq to sort by.
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
