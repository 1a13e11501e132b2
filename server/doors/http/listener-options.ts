// What the listener is given: its limits, who decides, and who is told.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Challenges } from '../../policy/challenges.ts';
import type { Identity } from '../../policy/identity.ts';
import type { PublicUrl } from '../../policy/public-url.ts';
import type { ServedPeers } from '../../policy/served-peers.ts';
import type { GatewayHealth } from '../../../protocol/console.ts';
import type { Certificate } from './certificate.ts';
import type { CodeExchangeOptions } from './code-exchange.ts';
import type { Exposition, ReportDefect } from './metrics.ts';
import type { StaticFile } from './static-files.ts';

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly subprotocol: string | null;
  readonly identity: Identity;
  /** What is said first to whoever proved a credential without sending it; null to others. */
  readonly greeting: string | null;
  /** Who asks, as it goes on record. */
  readonly from: string;
  /** Of the page, as this visitor reaches it; ends with a slash. */
  readonly pageUrl: string;
}

interface ListenerLimits {
  /** What somebody has for the head of a request, or for the handshake of TLS … */
  readonly requestHeadMs: number;
  /** … and for a whole request. */
  readonly requestMs: number;
  readonly requestHeadBytes: number;
  readonly unprovenSockets: number;
  /** Requests of one socket that have not been answered yet. */
  readonly pipelinedRequests: number;
}

export interface ListenerOptions {
  readonly limits: ListenerLimits;
  /** With one, TLS is all that is spoken. */
  readonly certificate: Certificate | null;
  readonly peers: ServedPeers;
  /** Where a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  readonly page: ReadonlyMap<string, StaticFile>;
  readonly exchange: CodeExchangeOptions;
  /** How long a fresh link is good. */
  readonly codeTtlMs: number;
  /** What this identity may know of it. */
  /** For scripts; the page is told by its connection. */
  readonly statusFor: (identity: Identity) => GatewayHealth;
  /** For who watches many gateways; null for those who may not know. */
  readonly metricsFor: (identity: Identity) => Promise<Exposition> | null;
  readonly verify: (token: string) => Identity | null;
  readonly challenges: Challenges;
  /** Why this identity gets no further connection for now; null when it does. */
  readonly whyFull: (identity: Identity) => string | null;
  readonly onUpgrade: (upgrade: Upgrade) => void;
  readonly reportDefect: ReportDefect;
  readonly audit: (act: DoorAct) => void;
}

/** What happens at the door, for the record. */
export interface DoorAct {
  readonly act: 'refused' | 'signIn' | 'link';
  /** Whose proof it was, if anybody's. */
  readonly identity: Identity | null;
  readonly from: string;
  readonly details: Readonly<Record<string, string | number>>;
}
