// The line over a terminal: what it is, how it is, and what can be done to it.
import { CircleStop, Gamepad2, OctagonX, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { useConsole } from '../console-context.tsx';
import { closePane } from '../layout/layout-store.ts';
import { commandLine, shortCommand, visible } from '../processes/command-line.ts';
import {
  bytesText,
  durationText,
  elapsedMs,
  endedByText,
  isLive,
  statusOf,
  statusText,
} from '../processes/process-status.ts';
import { processStore } from '../processes/process-store.ts';
import { StatusIcon } from '../processes/status-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useNow } from '../ui/use-now.tsx';

export function PaneHeader({
  info,
  onError,
}: {
  readonly info: ProcessInfo;
  readonly onError: (message: string) => void;
}) {
  const { client, terminals } = useConsole();
  const own = useStore(processStore, ({ connection }) =>
    connection.kind === 'online' ? connection.connection : null,
  );
  const mayAct = useStore(
    processStore,
    ({ connection }) =>
      connection.kind === 'online' && (connection.role === 'operator' || connection.role === 'admin'),
  );
  const now = useNow(isLive(info) || info.terminatingSinceMs !== null);
  const process = terminals.get(info.key)?.process ?? client.processes.attach(info.key);
  const act = (what: Promise<unknown>): void => {
    what.catch((error: unknown) => onError(error instanceof Error ? error.message : String(error)));
  };
  const status = statusOf(info);
  const canEnd = info.state !== 'closed' && info.state !== 'lost';
  const isControlled = own !== null && info.controller === own;
  return (
    <header
      className="pane-header"
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, info.key)}
    >
      <StatusIcon status={status} />
      <span className="pane-title" title={`${commandLine(info.argv)} in ${visible(info.cwd)}`}>
        {info.label === null ? shortCommand(info.argv) : visible(info.label)}
      </span>
      <span className="pane-facts">
        <span className={`status-word ${status}`}>{statusText(info)}</span>
        {info.endedBy ? <span>{visible(endedByText(info) ?? '')}</span> : null}
        <span>{durationText(elapsedMs(info, now))}</span>
        <KillCountdown info={info} nowMs={now} />
        <Missed processKey={info.key} />
      </span>
      <span className="pane-buttons">
        {info.tty && isLive(info) ? (
          <IconButton
            icon={Gamepad2}
            label={isControlled ? 'Release control' : 'Take control'}
            pressed={isControlled}
            disabled={!mayAct}
            onClick={() => act(process.control(!isControlled))}
          >
            {isControlled ? 'In control' : 'Control'}
          </IconButton>
        ) : null}
        <IconButton
          icon={CircleStop}
          label="Interrupt"
          disabled={!mayAct || !isLive(info)}
          onClick={() => act(process.signal('interrupt'))}
        />
        <IconButton
          icon={OctagonX}
          label="Terminate"
          kind="danger"
          disabled={!mayAct || !canEnd}
          onClick={() => act(process.terminate())}
        />
        <IconButton icon={X} label="Close pane" onClick={() => closePane(info.key)} />
      </span>
    </header>
  );
}

/** What a dragged pane carries: its process's key. */
export const DRAG_TYPE = 'application/x-exec-console-pane';

function KillCountdown({ info, nowMs }: { readonly info: ProcessInfo; readonly nowMs: number }) {
  if (info.terminatingSinceMs === null) return null;
  const seconds = Math.max(0, Math.ceil(((info.killAtMs ?? nowMs) - nowMs) / 1000));
  const survivors = info.survivors.map(({ pid, name }) => `${visible(name)} (${pid})`).join(', ');
  return (
    <span className="status-word terminating" title={survivors ? `still there: ${survivors}` : undefined}>
      {seconds > 0 ? `kill in ${seconds} s` : 'killing'}
      {info.survivors.length > 1 ? ` · ${info.survivors.length} left` : ''}
    </span>
  );
}

function Missed({ processKey }: { readonly processKey: string }) {
  const missedBytes = useStore(processStore, (state) => state.terminals[processKey]?.missedBytes ?? 0);
  if (missedBytes === 0) return null;
  return (
    <span
      className="status-word missed"
      title="This fell out of what the gateway retains before it could be shown here."
    >
      {bytesText(missedBytes)} not shown
    </span>
  );
}
