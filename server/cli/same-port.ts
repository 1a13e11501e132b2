// Passes a gateway's port to the gateway that replaces it.

/** Environment variable with the port; only the next gateway uses it. */
export const SAME_PORT = 'EXEC_CONSOLE_SAME_PORT';

/** Removes the port of the replaced gateway from the environment and returns it; null when there is no valid one. */
export function takePort(): number | null {
  const port = Number(process.env[SAME_PORT] ?? Number.NaN);
  delete process.env[SAME_PORT];
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}
