// Who can open a link of the gateway, as its address says.

/** Names that lead every machine to itself; browsers take `*.localhost` for one, too. */
const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** `machine`: only browsers on the gateway's machine; `network`: whoever reaches that address. */
export type LinkReach =
  | {
      readonly kind: 'machine';
      /** A command that makes the link work on another machine, where ssh leads to the gateway's. */
      readonly tunnel: string;
      readonly host: string;
    }
  | { readonly kind: 'network' };

/** Null of what is no address. */
export function linkReach(link: string): LinkReach | null {
  if (!URL.canParse(link)) return null;
  const { hostname, host, port, protocol } = new URL(link);
  if (!LOOPBACK.test(hostname)) return { kind: 'network' };
  const number = port || (protocol === 'https:' ? '443' : '80');
  // A port below 1024 takes root there; the link names it all the same.
  return { kind: 'machine', host, tunnel: `ssh -N -L ${number}:${hostname}:${number} USER@THIS-MACHINE` };
}
