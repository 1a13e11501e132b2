// Selects the fields of a process description that are noted for the next gateway.
import type { ProcessDescription } from '../keeper/process-view.ts';

/**
 * Returns only the noted fields of a description. Its starter may be a whole identity; only the token's id and the
 * role are noted.
 */
export function noted(description: ProcessDescription): ProcessDescription {
  const { processId, session, isConsole, startedBy, starter, metadata, label, restartOf } = description;
  const { notRecorded, runsAsWritten } = description;
  const { tokenId, role } = starter;
  return {
    processId,
    session,
    isConsole,
    startedBy,
    starter: { tokenId, role },
    metadata,
    label,
    restartOf,
    ...(notRecorded && { notRecorded }),
    ...(runsAsWritten && { runsAsWritten }),
  };
}
