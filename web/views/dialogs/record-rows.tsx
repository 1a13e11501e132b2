// Table of an audit log, in which only the rows in or near the visible part are rendered.
import { clockText, dateTimeText, numberText } from '../../../text/amounts.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp, ShieldX } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { AuditEntry } from '../../../protocol/audit.ts';
import { openPane } from '../../state/layout/layout-store.ts';
import { processName } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { showPanes } from '../../state/page/page-store.ts';
import { isPhone, onPhoneChange } from '../../state/page/platform.ts';
import { visible } from '../../../text/visible.ts';
import { actWords } from '../../state/processes/act-words.ts';
import type { RecordReader, RecordState } from '../../state/processes/record-reader.ts';

const ROW_PX = 36;
const PHONE_ROW_PX = 86;
const OVERSCAN = 10;
/** Distance from the end, in rows, at which older entries are requested. */
const NEAR_ROWS = 30;

interface RecordRowsProps {
  readonly state: RecordState;
  readonly reader: RecordReader;
  /** True when each entry shows its process. */
  readonly hasProcess: boolean;
  /** Called before a process is shown. */
  readonly onOpened: () => void;
}

export function RecordRows({ state, reader, hasProcess, onOpened }: RecordRowsProps) {
  const { entries, waiting, hasOlder } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const isSmall = useSyncExternalStore(onPhoneChange, isPhone);
  // oxlint-disable-next-line react/incompatible-library -- its functions are only called here
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isSmall ? PHONE_ROW_PX : ROW_PX),
    getItemKey: (index) => entries[index]?.number ?? index,
    overscan: OVERSCAN,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isSmall]);
  const inSight = virtualizer.getVirtualItems();
  const isNearEnd = (inSight.at(-1)?.index ?? 0) > entries.length - NEAR_ROWS;
  useEffect(() => {
    if (isNearEnd && hasOlder) void reader.older();
  }, [isNearEnd, hasOlder, reader, entries.length]);
  const toTop = (): void => {
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus();
    reader.hold(false);
  };
  return (
    <div className="record-table-place">
      {waiting.length > 0 ? (
        <button type="button" className="to-new record-new" onClick={toTop}>
          <ArrowUp size={13} aria-hidden="true" />
          {numberText(waiting.length)} new
        </button>
      ) : null}
      <div
        ref={scroller}
        className="record-table"
        role="table"
        aria-label="Entries"
        aria-rowcount={hasOlder ? -1 : entries.length + 1}
        tabIndex={0}
        onScroll={({ currentTarget }) => reader.hold(currentTarget.scrollTop > ROW_PX)}
      >
        <div role="row" aria-rowindex={1} className={`record-row titles ${hasProcess ? '' : 'of-one'}`}>
          {['Time', 'Who', 'What', ...(hasProcess ? ['Process'] : []), 'Address'].map((title) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
        </div>
        <div role="rowgroup" className="record-rows" style={{ height: virtualizer.getTotalSize() }}>
          {inSight.map(({ index, key, start, size }) => {
            const entry = entries[index];
            return entry ? (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={`record-row ${entry.act === 'refused' ? 'refused' : ''} ${hasProcess ? '' : 'of-one'}`}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                <Cells entry={entry} hasProcess={hasProcess} onOpened={onOpened} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </div>
  );
}

interface CellsProps extends Pick<RecordRowsProps, 'hasProcess' | 'onOpened'> {
  readonly entry: AuditEntry;
}

function Cells({ entry, hasProcess, onOpened }: CellsProps) {
  const words = actWords(entry);
  const at = new Date(entry.atMs);
  return (
    <>
      <time role="cell" className="record-time" dateTime={at.toISOString()} title={dateTimeText(entry.atMs)}>
        {timeOf(entry.atMs)}
      </time>
      <span role="cell" className="record-who" title={`${visible(entry.who)} ${visible(entry.token)}`}>
        {entry.who === '' ? <i>without a token</i> : visible(entry.who)}
        {entry.role === '' ? null : <span className="record-role">{visible(entry.role)}</span>}
      </span>
      <span role="cell" className="record-what" title={words}>
        {entry.act === 'refused' ? <ShieldX size={14} aria-hidden="true" /> : null}
        <span>{words}</span>
      </span>
      {hasProcess ? (
        <span role="cell" className="record-process">
          {entry.key === null ? null : <ProcessLink processKey={entry.key} onOpened={onOpened} />}
        </span>
      ) : null}
      <span role="cell" className="record-from" title={visible(entry.from)}>
        {visible(entry.from)}
      </span>
    </>
  );
}

function ProcessLink({
  processKey,
  onOpened,
}: {
  readonly processKey: string;
  readonly onOpened: () => void;
}) {
  const info = useStore(processStore, (state) => state.processes[processKey]);
  if (!info) return <span className="record-gone">{visible(processKey)}</span>;
  const name = processName(info);
  return (
    <button
      type="button"
      className="link-button"
      title={`Open ${name}`}
      onClick={() => {
        // Close the dialog first: nothing behind it can take the focus.
        onOpened();
        showPanes();
        openPane(processKey);
      }}
    >
      {name}
    </button>
  );
}

/** Returns the time of an entry, with the date if it is not today. */
function timeOf(atMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return isToday ? clockText(atMs, true) : dateTimeText(atMs);
}
