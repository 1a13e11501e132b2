// State of the gateway itself, as everyone with a credential gets it.

/** State of the gateway itself. */
export interface GatewayHealth {
  /** `degraded`: it works, but some requests will fail. */
  readonly status: 'ok' | 'degraded';
  /** Causes with their remedies; empty when the status is `ok`. */
  readonly reasons: readonly string[];
  /** Outages elsewhere, of services that agents use; absent when there are none. */
  readonly notices?: readonly string[];
}
