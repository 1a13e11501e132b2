// All facts about a process in words, to read and copy.
import { Copy } from 'lucide-react';
import { useStore } from 'zustand';
import { copyText } from '../../state/page/copy.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { useModal } from '../../parts/modal.tsx';
import { usePresent } from '../../parts/use-present.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { useNow } from '../../parts/use-now.tsx';
import { useUsed } from '../../parts/usage-cell.tsx';
import { processName } from '../../../text/command-line.ts';
import { factsOf, factsText } from '../../state/processes/process-facts.ts';
import { isLive } from '../../../text/process-words.ts';
import { clientNameOf } from '../../state/processes/client-name.ts';
import { processStore } from '../../state/processes/process-store.ts';

interface AboutProcessProps {
  readonly processKey: string;
  readonly onClose: () => void;
}

/** Facts with their own copy button, since they are often needed elsewhere. */
const COPIED_ALONE = new Set(['Command', 'Folder', 'PID', 'Thread', 'Key']);

export function AboutProcess({ processKey, onClose }: AboutProcessProps) {
  const dialog = useModal();
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const clientName = useStore(processStore, ({ sessions }) => (info ? clientNameOf(info, sessions) : null));
  const present = usePresent();
  const isFollowed = present.connection.kind === 'online' && info !== undefined && isLive(info);
  const nowMs = useNow(isFollowed);
  const used = useUsed(processKey, isFollowed);
  const facts = info ? factsOf({ info, clientName, used, present, nowMs }) : [];
  return (
    <dialog ref={dialog} className="dialog about" aria-labelledby="about-title" onClose={onClose}>
      <h2 id="about-title">About {info ? processName(info) : 'a process that no longer exists'}</h2>
      <div className="about-facts" tabIndex={0} role="region" aria-label="Details">
        <dl>
          {facts.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <span>{text}</span>
                {COPIED_ALONE.has(name) ? (
                  <IconButton
                    icon={Copy}
                    label={`Copy ${name === 'PID' ? name : name.toLowerCase()}`}
                    onClick={() => void copyText(text)}
                  />
                ) : null}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="dialog-buttons">
        <DialogNotices />
        <button type="button" className="secondary" onClick={() => void copyText(factsText(facts))}>
          Copy all
        </button>
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
