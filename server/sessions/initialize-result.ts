// Creates the result of `initialize`: the session, this machine, and the gateway's additions to the protocol.
import { FEATURES } from '../../protocol/features.ts';
import { PROTOCOL_VERSION, type InitializeResult } from '../../protocol/session.ts';
import type { Peer } from './peer.ts';
import type { Session } from './session.ts';

export function initializeResult(
  { label, identity: { role, share, expiresAtMs } }: Peer,
  session: Session,
  {
    environment,
    version,
  }: { readonly environment: InitializeResult['environmentInfo']; readonly version: string },
): InitializeResult {
  return {
    sessionId: session.id,
    environmentInfo: environment,
    protocolVersion: PROTOCOL_VERSION,
    console: {
      version,
      connection: label,
      session: session.label,
      role,
      features: FEATURES,
      share: share && expiresAtMs !== null ? { key: share.key, expiresAtMs } : null,
    },
  };
}
