// Usage of a running process in its row: a one-minute graph, numbers, and the ports it listens on.
import { ExternalLink } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useConsole } from './console-context.tsx';
import { bytesText, countedText } from '../../text/amounts.ts';
import { lateCpu } from '../state/processes/busiest.ts';
import { portLinks } from '../state/processes/port-link.ts';
import { MOST_SAMPLES, type Used } from '../state/processes/usage-feed.ts';
import { cpuText, graphOf, graphText } from '../state/processes/usage-text.ts';

/** Returns the current usage of a process; undefined while unknown, and when `isFollowed` is false. */
export function useUsed(key: string, isFollowed: boolean): Used | undefined {
  const { usage } = useConsole();
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => (isFollowed ? usage.follow(key, listener) : () => {}),
      [usage, key, isFollowed],
    ),
    () => (isFollowed ? usage.get(key) : undefined),
  );
}

const GRAPH = { width: 44, height: 14 };
/** Minimum number of samples for a graph; with fewer samples, only the numbers are shown. */
const FEWEST_SAMPLES = 3;

/** Fraction of a core below which a graph is too flat to be seen. */
const LEAST_SEEN = 0.05;

const lastMinute = ({ samples }: Used): Used['samples'] => samples.slice(-MOST_SAMPLES);

/** True when the graph would show something: an idle process's graph would only take room from the command. */
export const hasGraph = (used: Used | undefined): used is Used =>
  used !== undefined &&
  used.samples.length >= FEWEST_SAMPLES &&
  lastMinute(used).some(({ cpu }) => (cpu ?? 0) >= LEAST_SEEN);

/** Fraction of a core from which a process is marked as busy, as it may be a runaway. */
export const BUSY = 0.9;

export function UsageGraph({ used }: { readonly used: Used }) {
  const { usage } = useConsole();
  const last = used.samples.at(-1);
  if (!last) return null;
  const most = usage.mostMemoryBytes();
  const samples = lastMinute(used);
  const { cpu, memory, ground } = graphOf(samples, most, GRAPH);
  const of = used.processes === 1 ? '' : `, ${countedText(used.processes, 'process', 'processes')} in total`;
  return (
    <span
      className={`usage ${isBusyNow(used) ? 'busy' : ''}`}
      title={`CPU ${cpuText(last.cpu)} of one core, memory ${bytesText(last.memoryBytes)}${of}. ${graphText(samples.length, most)}`}
    >
      <svg width={GRAPH.width} height={GRAPH.height} aria-hidden="true">
        <path className="usage-ground" d={ground} />
        <path className="usage-cpu" d={cpu} />
        <path className="usage-memory" d={memory} />
      </svg>
    </span>
  );
}

export function UsageNumbers({ used }: { readonly used: Used }) {
  const last = used.samples.at(-1);
  if (!last) return null;
  return (
    <span className={`usage-numbers ${isBusyNow(used) ? 'busy' : ''}`}>
      <span className="usage-number" title="CPU (of one core)">
        <span className="sr-only">CPU </span>
        {cpuText(last.cpu)}
      </span>
      <span className="usage-memory-number" title="Memory">
        <span className="sr-only">memory </span>
        {bytesText(last.memoryBytes)}
      </span>
    </span>
  );
}

const isBusyNow = (used: Used): boolean => (lateCpu(used) ?? 0) >= BUSY;

const SHOWN_PORTS = 3;

export function PortLinks({ used, tabIndex }: { readonly used: Used; readonly tabIndex: 0 | -1 }) {
  const links = portLinks(used.ports, location.hostname);
  if (links.length === 0) return null;
  const more = links.slice(SHOWN_PORTS);
  return (
    <span className="ports">
      {links.slice(0, SHOWN_PORTS).map(({ port, href, title }) =>
        href === null ? (
          <span key={port} className="port" title={title}>
            :{port}
          </span>
        ) : (
          <a
            key={port}
            className="port"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            title={title}
            tabIndex={tabIndex}
            aria-label={`Open port ${port}`}
            onClick={(event) => event.stopPropagation()}
          >
            :{port}
            <ExternalLink size={10} aria-hidden="true" />
          </a>
        ),
      )}
      {more.length > 0 ? (
        <span title={more.map(({ port }) => `:${port}`).join(' ')}>and {more.length} more</span>
      ) : null}
    </span>
  );
}
