// Health of the gateway, as sent to watchers of the console.

export interface GatewayHealth {
  /** `degraded`: the gateway works, but some requests will fail. */
  readonly status: 'ok' | 'degraded';
  /** Causes and their remedies; empty when the status is `ok`. */
  readonly reasons: readonly string[];
  /** Outages of external services that agents use; absent when there are none. */
  readonly notices?: readonly string[];
}
