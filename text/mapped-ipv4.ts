// IPv4-mapped IPv6 addresses; a connection to one reaches the IPv4 address.

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Returns the IPv4 address of an IPv4-mapped IPv6 address in its canonical form, and any other address unchanged. */
export function unmappedAddress(address: string): string {
  const [, high, low] = MAPPED.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 0xff, second >> 8, second & 0xff].join('.');
}
