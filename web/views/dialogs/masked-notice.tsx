// Reports that a file was saved with secrets masked, and offers to save it unmasked.
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { maskedStore, reportMasked } from '../../state/page/masked-store.ts';
import { saveFile } from '../../screen/download/save-file.ts';

export function MaskedNotice() {
  const { client } = useConsole();
  const file = useStore(maskedStore, (state) => state.file);
  return (
    // The element is always present, so that screen readers announce text added later.
    <div role="status" aria-label="Saved file">
      {file === null ? null : (
        <p className="page-done">
          Secrets in the file are masked with *.
          <button
            type="button"
            className="link-button"
            onClick={() => void saveFile(client.connection, { ...file, secrets: 'shown' })}
          >
            Save with secrets
          </button>
          <button type="button" className="link-button" onClick={() => reportMasked(null)}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  );
}
