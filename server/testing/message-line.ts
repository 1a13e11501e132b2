// Connects two ends in one thread: messages arrive as structured clones, in order, in a later turn.

export interface LineEnd<Sent, Received> {
  send(message: Sent): void;
  onMessage: (message: Received) => void;
  /** Called once when the line is cut; no message arrives after it. */
  onCut: () => void;
}

export interface MessageLine<A, B> {
  readonly ends: readonly [LineEnd<A, B>, LineEnd<B, A>];
  /** Cuts the line, and drops the messages in flight. */
  cut(): void;
}

export function messageLine<A, B>(): MessageLine<A, B> {
  let isCut = false;
  const endTo = <Sent, Received>(other: () => LineEnd<Received, Sent>): LineEnd<Sent, Received> => ({
    send(message) {
      const clone = structuredClone(message);
      setImmediate(() => {
        if (!isCut) other().onMessage(clone);
      });
    },
    onMessage: () => {},
    onCut: () => {},
  });
  const one: LineEnd<A, B> = endTo(() => two);
  const two: LineEnd<B, A> = endTo(() => one);
  return {
    ends: [one, two],
    cut() {
      if (isCut) return;
      isCut = true;
      one.onCut();
      two.onCut();
    },
  };
}
