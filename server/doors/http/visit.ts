// Describes a request to the gateway's port for the checks and the log.
import type { IncomingMessage } from 'node:http';
import { withoutQuery, type Visit } from '../../policy/admission.ts';
import type { ServedPeers } from '../../policy/served-peers.ts';

/** Maximum length of a requested path in the log. */
const LONGEST_PATH = 200;
/** Part of a path that is long enough to be a credential; of the gateway's own paths, only fonts have such a part. */
const LONG_PART = /[^/?]{32,}/g;
/** Parts that together are long enough to be a credential in Base64, whose letters include the slash. */
const LONG_PARTS = /(?<=\/)[\w%+/=-]{32,}/g;
/** Name and password in a target that is a whole URL, as sent to a proxy. */
const USER_INFO = /\/\/[^/]*@/g;

export interface DoorVisit extends Visit {
  /** Address of the client, such as `127.0.0.1:51234`. */
  readonly from: string;
}

export function visitOf(request: IncomingMessage, peers: ServedPeers, isUpgrade: boolean): DoorVisit {
  const { method = 'GET', url = '/', headers, socket } = request;
  const forwardedFor = headers['x-forwarded-for'];
  const repeated = Object.entries(request.headersDistinct).flatMap(([name, values]) =>
    values !== undefined && values.length > 1 ? name : [],
  );
  const from = peers.sourceOf(socket, forwardedFor?.toString());
  return { method, url, headers, repeated, localAddress: socket.localAddress ?? '', isUpgrade, from };
}

/** Returns the parts of a request that may be logged. */
export const shown = ({ method, url }: Pick<Visit, 'method' | 'url'>) => ({
  method,
  path: withoutQuery(url)
    .replaceAll(USER_INFO, '//…@')
    .replaceAll(LONG_PARTS, (parts) => (/[+=]/.test(parts) ? '…' : parts))
    .replaceAll(LONG_PART, '…')
    .slice(0, LONGEST_PATH),
});
