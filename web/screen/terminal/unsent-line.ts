// Reasons why text composed outside a terminal cannot be sent now.
import type { ShownConnection } from '../../state/processes/process-store.ts';

/** Returns the message for text that cannot be sent because the connection is not online. */
export const unsentText = (connection: ShownConnection['kind']): string =>
  `Not sent: ${connection === 'silent' ? 'the gateway does not respond' : 'the page is offline'}. Your text stays in the field until you send it.`;
