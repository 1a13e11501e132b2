// Reach of a link of the gateway: who can open it, by its address.

/** Loopback names; browsers treat `*.localhost` as one, too. */
const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/**
 * Reach of a link; `machine`: only browsers on the gateway's machine; `network`: everybody who reaches that address.
 */
export type LinkReach =
  | {
      readonly kind: 'machine';
      /** Command that makes the link work on another machine, through ssh to the gateway's. */
      readonly tunnel: string;
      readonly host: string;
    }
  | { readonly kind: 'network' };

/** Returns the reach of a link; null when it is not an address. */
export function linkReach(link: string): LinkReach | null {
  if (!URL.canParse(link)) return null;
  const { hostname, host, port, protocol } = new URL(link);
  if (!LOOPBACK.test(hostname)) return { kind: 'network' };
  const number = port || (protocol === 'https:' ? '443' : '80');
  // A port below 1024 requires root there, but the link contains it.
  return { kind: 'machine', host, tunnel: `ssh -N -L ${number}:${hostname}:${number} USER@THIS-MACHINE` };
}
