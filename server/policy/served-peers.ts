// Decides which connections are accepted, and determines the address of a client behind a declared proxy.
import { BlockList, isIP } from 'node:net';
import { unmapped } from './own-names.ts';

export interface AddressRange {
  readonly address: string;
  /** Number of leading bits that identify the range. */
  readonly prefix: number;
}

/** Minimum prefix, because a shorter one would cover too many machines. */
const LEAST_PREFIX = 8;

/**
 * Parses `10.0.0.2`, `10.0.0.0/24` and the same for IPv6; returns null for other text, and for a prefix that
 * is out of range.
 */
export function parseAddressRange(text: string): AddressRange | null {
  const [, address = '', given] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const longest = version === 4 ? 32 : 128;
  const prefix = given === undefined ? longest : Number(given);
  return prefix >= LEAST_PREFIX && prefix <= longest ? { address, prefix } : null;
}

/** Both ends of a connection, according to its socket. */
export interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
}

export class ServedPeers {
  readonly #proxies = new BlockList();
  readonly #onlyProxies: boolean;

  /** `proxies`: if there are any, only connections from them and from this machine are accepted. */
  constructor(proxies: readonly AddressRange[]) {
    this.#onlyProxies = proxies.length > 0;
    for (const { address, prefix } of proxies) this.#proxies.addSubnet(address, prefix, familyOf(address));
  }

  isServed(ends: Ends): boolean {
    return !this.#onlyProxies || isThisMachine(ends) || this.#isProxy(ends.remoteAddress ?? '');
  }

  /**
   * Returns the client's address for the audit log, such as `127.0.0.1:51234`; behind a proxy, the forwarded
   * address, followed by the proxy's own.
   */
  sourceOf(ends: Ends, forwardedFor: string | undefined): string {
    const { remoteAddress = 'unknown', remotePort = 0 } = ends;
    const peer = `${remoteAddress}:${remotePort}`;
    if (forwardedFor === undefined || !this.#isProxy(remoteAddress)) return peer;
    // Each proxy appends the address of its client, so entries before the last untrusted one may be forged.
    const hops = forwardedFor.split(',').map((hop) => hop.trim());
    const client = hops.findLast((hop) => !this.#isProxy(hop));
    return client !== undefined && isIP(client) > 0 ? `${client} (through ${peer})` : peer;
  }

  #isProxy(address: string): boolean {
    const plain = unmapped(address);
    return isIP(plain) > 0 && this.#proxies.check(plain, familyOf(plain));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns true for loopback, and for the same address at both ends, which only this machine can have. */
function isThisMachine({ remoteAddress = '', localAddress }: Ends): boolean {
  return (
    isLoopbackAddress(unmapped(remoteAddress)) || (remoteAddress !== '' && remoteAddress === localAddress)
  );
}

export const isLoopbackAddress = (address: string): boolean => /^127\.|^::1$/.test(address);
