// The port of the gateway before, for the one that takes its place.

/** Variable with that port, for one gateway only. */
export const SAME_PORT = 'EXEC_CONSOLE_SAME_PORT';

/** Takes the port of the gateway that this one replaces out of the environment; null for any other. */
export function takePort(): number | null {
  const port = Number(process.env[SAME_PORT] ?? Number.NaN);
  delete process.env[SAME_PORT];
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}
