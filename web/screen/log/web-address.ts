// Where a link that a program printed leads.

/** As it is to be shown and opened; null for one that is not opened. */
export function webAddress(target: string): string | null {
  try {
    const url = new URL(target);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    // A name before the host is there to be taken for the host.
    if (!isWeb || url.username !== '' || url.password !== '') return null;
    // Letters of other alphabets in the host, and what is not to be seen, are in their plain form here.
    return url.href;
  } catch {
    return null;
  }
}
