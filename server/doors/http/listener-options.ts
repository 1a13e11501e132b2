// Options of the listener: its limits, checks and callbacks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Challenges } from '../../policy/challenges.ts';
import type { Identity } from '../../policy/identity.ts';
import type { PublicUrl } from '../../policy/public-url.ts';
import type { ServedPeers } from '../../policy/served-peers.ts';
import type { GatewayHealth } from '../../../protocol/health.ts';
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
  /** First message to a client that proved a credential without sending it; null for others. */
  readonly greeting: string | null;
  /** Address of the client, for the audit log. */
  readonly from: string;
  /** URL of the page as this client reaches it; ends with a slash. */
  readonly pageUrl: string;
}

interface ListenerLimits {
  /** Time limit for the head of a request, and for a TLS handshake. */
  readonly requestHeadMs: number;
  /** Time limit for a whole request. */
  readonly requestMs: number;
  readonly requestHeadBytes: number;
  readonly unprovenSockets: number;
  /** Maximum number of unanswered requests on one socket. */
  readonly pipelinedRequests: number;
}

export interface ListenerOptions {
  readonly limits: ListenerLimits;
  /** Certificate of the port, which then accepts only TLS; null for plain HTTP. */
  readonly certificate: Certificate | null;
  readonly peers: ServedPeers;
  /** URL of the page behind a trusted reverse proxy; null when there is none. */
  readonly publicUrl: PublicUrl | null;
  readonly page: ReadonlyMap<string, StaticFile>;
  readonly exchange: CodeExchangeOptions;
  readonly codeTtlMs: number;
  /** Returns the health that this identity may see, for scripts; the page gets it over its own connection. */
  readonly statusFor: (identity: Identity) => GatewayHealth;
  /** Returns a promise of the metrics, or null when this identity is not allowed to see them. */
  readonly metricsFor: (identity: Identity) => Promise<Exposition> | null;
  readonly verify: (token: string) => Identity | null;
  readonly challenges: Challenges;
  /** Returns the reason why this identity cannot open another connection now; null when it can. */
  readonly whyFull: (identity: Identity) => string | null;
  readonly onUpgrade: (upgrade: Upgrade) => void;
  /** Handles a request for `/mcp` with a valid proof; its body has not been read. */
  readonly mcp: (request: IncomingMessage, response: ServerResponse, identity: Identity) => Promise<void>;
  readonly reportDefect: ReportDefect;
  readonly audit: (act: DoorAct) => void;
}

/** A sign-in, a new link or a refusal, for the audit log. */
export interface DoorAct {
  readonly act: 'refused' | 'signIn' | 'link';
  /** Identity that signed in, or that a valid proof belongs to; null for others. */
  readonly identity: Identity | null;
  readonly from: string;
  readonly details: Readonly<Record<string, string | number>>;
}
