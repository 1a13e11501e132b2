// Confirmation before a recording is permanently removed.
import type { HistoryEntry } from '../../../protocol/history.ts';
import { bytesText } from '../../../text/amounts.ts';
import { shortCommand } from '../../../text/command-line.ts';
import { useModal } from '../../parts/modal.tsx';

interface RemoveRecordingProps {
  readonly entry: HistoryEntry;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

export function RemoveRecording({ entry, onRemove, onClose }: RemoveRecordingProps) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      className="dialog remove-recording"
      aria-labelledby="remove-recording-title"
      onClose={onClose}
    >
      <h2 id="remove-recording-title">Remove this recording?</h2>
      <p>
        <code>{shortCommand(entry.argv)}</code>
      </p>
      <p className="hint">
        Its output ({bytesText(entry.recordedBytes)} on disk) and its entry in the history are removed
        permanently. The audit log still shows who started the process, and that you removed its recording.
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
            onRemove();
          }}
        >
          Remove recording
        </button>
      </div>
    </dialog>
  );
}
