// Determines who can open a link, from its address.

/** Loopback names and addresses, including IPv4-mapped ones; browsers also treat `*.localhost` as loopback. */
const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** Reach of a link; `machine`: only browsers on the gateway's machine; `network`: anyone who can reach the address. */
export type LinkReach =
  | {
      readonly kind: 'machine';
      /** Command that makes the link work on another machine through an ssh tunnel. */
      readonly tunnel: string;
      readonly host: string;
    }
  | { readonly kind: 'network' };

/** Returns the reach of a link; null when the link is not a valid URL. */
export function linkReach(link: string): LinkReach | null {
  if (!URL.canParse(link)) return null;
  const { hostname, host, port, protocol } = new URL(link);
  if (!LOOPBACK.test(hostname)) return { kind: 'network' };
  const number = port || (protocol === 'https:' ? '443' : '80');
  // The local port equals the link's, so that the same link works through the tunnel; below 1024, ssh must run as root.
  return { kind: 'machine', host, tunnel: `ssh -N -L ${number}:${hostname}:${number} USER@THIS-MACHINE` };
}
