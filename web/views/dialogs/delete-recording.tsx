// Confirmation before a recording is permanently deleted.
import type { HistoryEntry } from '../../../protocol/history.ts';
import { bytesText } from '../../../text/amounts.ts';
import { shortCommand } from '../../../text/command-line.ts';
import { useModal } from '../../parts/modal.tsx';

interface DeleteRecordingProps {
  readonly entry: HistoryEntry;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

export function DeleteRecording({ entry, onDelete, onClose }: DeleteRecordingProps) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      className="dialog delete-recording"
      aria-labelledby="delete-recording-title"
      onClose={onClose}
    >
      <h2 id="delete-recording-title">Delete this recording?</h2>
      <p>
        <code>{shortCommand(entry.argv)}</code>
      </p>
      <p className="hint">
        Its output ({bytesText(entry.recordedBytes)} on disk) and its entry in the history are deleted
        permanently. The audit log still shows who started the process, and that you deleted its recording.
      </p>
      <div className="dialog-buttons">
        <button type="button" className="secondary" data-begin-here onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          className="secondary danger"
          onClick={() => {
            dialog.current?.close();
            onDelete();
          }}
        >
          Delete recording
        </button>
      </div>
    </dialog>
  );
}
