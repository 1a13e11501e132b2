// Short deadlines, which are extended neither by a clock that is set back nor by a sleep of the machine.

export interface Deadline {
  /** Time in ms since 1970. */
  readonly wallMs: number;
  /** The same time on the clock of performance.now, which nobody can set. */
  readonly steadyMs: number;
}

export const deadlineIn = (ms: number): Deadline => ({
  wallMs: Date.now() + ms,
  steadyMs: performance.now() + ms,
});

/** Returns true as soon as either clock has reached the deadline. */
export const isOver = ({ wallMs, steadyMs }: Deadline): boolean =>
  Date.now() >= wallMs || performance.now() >= steadyMs;
