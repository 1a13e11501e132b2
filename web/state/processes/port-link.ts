// A port on which a process listens, and a link to it from this page.
import type { ProcessUsage } from '../../../protocol/looks.ts';

type Port = ProcessUsage['ports'][number];

export interface PortLink {
  readonly port: number;
  /** URL of the port; null when the port cannot be reached from this page. */
  readonly href: string | null;
  readonly title: string;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host.startsWith('127.');
const isEverywhere = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** Returns one link per port. `pageHost`, the host of the page's URL, is assumed to be the gateway's machine. */
export function portLinks(ports: readonly Port[], pageHost: string): PortLink[] {
  const host = pageHost.replace(/^\[(.*)\]$/, '$1');
  const links = new Map<number, PortLink>();
  for (const each of ports.toSorted((a, b) => a.port - b.port)) {
    const link = linkTo(each, host);
    // An address that can be reached from this page takes precedence.
    if (!links.get(each.port)?.href) links.set(each.port, link);
  }
  return [...links.values()];
}

function linkTo({ port, address }: Port, pageHost: string): PortLink {
  if (isLoopback(address) && !isLoopback(pageHost)) {
    return {
      port,
      href: null,
      title: `Listens on ${address}:${port}, which is reachable only from the gateway’s machine`,
    };
  }
  const isOfPage = isEverywhere(address) || isLoopback(address);
  const host = isOfPage ? pageHost : address;
  const href = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // The page cannot know whether its host forwards only the gateway’s port from another machine.
  const title = `Opens ${href}${isOfPage ? '; behind a proxy or tunnel, use the address of the gateway’s machine' : ''}`;
  return { port, href, title };
}
