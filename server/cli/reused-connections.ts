// Keeps connections to the gateway open for commands with many requests.
import { Agent as AgentInTheClear } from 'node:http';
import { Agent as AgentWithTls } from 'node:https';
import { pinnedTo } from './pinned-connection.ts';

/** Maximum number of unused connections that stay open; a call needs only one connection. */
const MOST_UNUSED = 4;
/** Time after which an unused connection is closed, unless the gateway's `Keep-Alive` header sets a shorter one. */
const UNUSED_MS = 60_000;

export class ReusedConnections {
  #agent: AgentInTheClear | null = null;
  #protocol = '';
  #pin: string | null = null;

  /**
   * Returns the HTTP agent that reuses the open connections; a new one at first, after `forget`, and when the protocol
   * or the pin has changed. `pin`: fingerprint of the only trusted certificate; null: the system's authorities decide.
   */
  agent(protocol: string, pin: string | null): AgentInTheClear {
    if (this.#agent && this.#protocol === protocol && this.#pin === pin) return this.#agent;
    this.#protocol = protocol;
    this.#pin = pin;
    const options = { keepAlive: true, maxFreeSockets: MOST_UNUSED, timeout: UNUSED_MS };
    const agent = protocol === 'https:' ? new AgentWithTls(options) : new AgentInTheClear(options);
    this.#agent = pin === null ? agent : Object.assign(agent, { createConnection: pinnedTo(pin) });
    return this.#agent;
  }

  /** Stops reusing the current connections; requests in flight continue. */
  forget(): void {
    this.#agent = null;
  }
}
