// Decides which link targets printed by a program may be opened.

/** Returns the address to show and open; null when it must not be opened. */
export function webAddress(target: string): string | null {
  try {
    const url = new URL(target);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    // A user name could be mistaken for the host.
    if (!isWeb || url.username !== '' || url.password !== '') return null;
    // Non-Latin hosts and invisible characters are encoded in `href`.
    return url.href;
  } catch {
    return null;
  }
}
