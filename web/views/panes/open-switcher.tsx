// Switcher between the open processes on a phone, using the native control.
import { useStore } from 'zustand';
import { stateText } from '../../../text/process-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { distinctions, titleAmong } from '../../state/processes/process-title.ts';
import { focusPane, layoutStore } from '../../state/layout/layout-store.ts';
import { keysOf } from '../../state/layout/layout-tree.ts';

export function OpenSwitcher() {
  const { layout, focused } = useStore(layoutStore);
  const processes = useStore(processStore, (state) => state.processes);
  if (focused === null) return null;
  const keys = keysOf(layout);
  const at = keys.indexOf(focused) + 1;
  const distinct = distinctions(keys.flatMap((key) => processes[key] ?? []));
  return (
    <div className="open-switcher">
      <select
        aria-label={`Open processes, ${at} of ${keys.length}`}
        value={focused}
        // The pane does not get the keyboard focus, since the on-screen keyboard would cover half of it.
        onChange={(event) => focusPane(event.target.value)}
      >
        {keys.map((key) => {
          const info = processes[key];
          const name = info && [titleAmong(processes, info), distinct.get(key) ?? ''].join(' ').trim();
          return (
            <option key={key} value={key}>
              {name ?? 'Unknown process'} · {info ? stateText(info) : 'lost'}
            </option>
          );
        })}
      </select>
      <span className="open-switcher-count" aria-hidden="true">
        {at}/{keys.length}
      </span>
    </div>
  );
}
