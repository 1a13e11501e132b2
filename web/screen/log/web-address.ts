// Targets of links that a program printed.

/** Returns the address to show and to open; null for one that must not be opened. */
export function webAddress(target: string): string | null {
  try {
    const url = new URL(target);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    // A user name before the host is there to be mistaken for the host.
    if (!isWeb || url.username !== '' || url.password !== '') return null;
    // `href` has letters of other alphabets in the host, and invisible characters, in their encoded form.
    return url.href;
  } catch {
    return null;
  }
}
