// Details of a process in the table: up to five minutes of its usage, and its OS processes as a tree.
import { useEffect } from 'react';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { bytesText, countedText, durationText } from '../../../text/amounts.ts';
import { isLive } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { treeRows } from '../../state/processes/process-tree.ts';
import { MOST_SAMPLES, type Used } from '../../state/processes/usage-feed.ts';
import { cpuText, graphOf } from '../../state/processes/usage-text.ts';

interface HomeDetailsProps {
  readonly info: ProcessInfo;
  readonly used: Used | undefined;
}

const GRAPH = { width: 300, height: 72 };

export function HomeDetails({ info, used }: HomeDetailsProps) {
  const { usage } = useConsole();
  const { key } = info;
  const runs = isLive(info);
  useEffect(() => (runs ? usage.followTree(key) : undefined), [usage, key, runs]);
  if (!runs || !used)
    return (
      <div role="gridcell" className="home-details">
        <p className="hint">
          {runs
            ? 'CPU and memory have not been measured yet.'
            : 'The process has ended: CPU, memory and the process tree are known only while it is running.'}
        </p>
      </div>
    );
  return (
    // A click here selects text and opens nothing.
    <div role="gridcell" className="home-details" onClick={(event) => event.stopPropagation()}>
      <Graphs used={used} />
      <Tree used={used} />
    </div>
  );
}

function Graphs({ used: { samples } }: { readonly used: Used }) {
  const most = samples.reduce((peak, { memoryBytes }) => Math.max(peak, memoryBytes), 0);
  const cores = samples.reduce((peak, { cpu }) => Math.max(peak, cpu ?? 0), 0);
  const { cpu, memory, ground } = graphOf(samples, most, {
    ...GRAPH,
    most: Math.max(MOST_SAMPLES, samples.length),
  });
  const { width, height } = GRAPH;
  return (
    <figure className="home-graphs">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="usage-ground" d={ground} />
        <path className="usage-cpu" d={cpu} />
        <path className="usage-memory" d={memory} />
      </svg>
      <figcaption>
        <span className="home-key-cpu">Peak CPU {cpuText(cores)}</span>
        <span className="home-key-memory">Peak memory {bytesText(most)}</span>
        <span>last {durationText(samples.length * 1000)}</span>
      </figcaption>
    </figure>
  );
}

function Tree({ used: { tree, processes } }: { readonly used: Used }) {
  if (!tree) return <p className="hint">Loading the process tree …</p>;
  return (
    <div className="home-tree" tabIndex={0} role="region" aria-label="Process tree">
      <table>
        <thead>
          <tr>
            <th scope="col">Process</th>
            <th scope="col">PID</th>
            <th scope="col">CPU</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {treeRows(tree).map(({ process: { pid, name, cpu, memoryBytes }, depth }) => (
            <tr key={pid}>
              <td style={{ paddingInlineStart: `${depth * 16}px` }}>{visible(name)}</td>
              <td>{pid}</td>
              <td>{cpuText(cpu)}</td>
              <td>{bytesText(memoryBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {processes > tree.length ? (
        <p className="hint">{countedText(processes - tree.length, 'more process', 'more processes')}</p>
      ) : null}
    </div>
  );
}
