// Formats metrics for Prometheus. The client library is loaded at the first request, and stores no values.
import type { Vitals } from './vital-signs.ts';
import { BUCKETS_MS, type Tally, type Timing } from './tally.ts';

/** All values at the time of the request. No label contains the name of a process or person, or a secret. */
export interface Figures {
  readonly version: string;
  readonly tally: Tally;
  readonly vitals: Vitals;
  readonly connections: Readonly<Record<string, number>>;
  readonly sessions: { readonly attached: number; readonly detached: number };
  readonly processes: { readonly live: number; readonly finished: number };
  readonly outputBytes: number;
  readonly inputBytes: number;
  readonly watchers: { readonly console: number; readonly processes: number; readonly missedBytes: number };
  /** Refused requests by HTTP status, and as `connection` the connections closed before a request. */
  readonly refused: Readonly<Record<string, number>>;
  readonly isDegraded: boolean;
  /** Number of requests waiting for approval, and the age of the oldest; 0 for none. */
  readonly approvals: { readonly waiting: number; readonly oldestMs: number };
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

export async function expose(figures: Figures): Promise<Exposition> {
  const { default: prom } = await import('prom-client');
  const registry = new prom.Registry();
  const make =
    (Kind: typeof prom.Gauge | typeof prom.Counter) =>
    (name: string, help: string, samples: Samples): void => {
      const labelNames = Object.keys(samples[0]?.[0] ?? {});
      const metric = new Kind({ name, help, labelNames, registers: [registry] });
      for (const [labels, value] of samples) metric.inc(labels, value);
    };
  addFigures({ gauge: make(prom.Gauge), counter: make(prom.Counter) }, figures);
  const described = await new prom.Histogram({ ...REQUEST_TIMES, registers: [] }).get();
  // Tally has the counts of all buckets, but prom-client's histogram accepts only single observations.
  class RequestTimes extends prom.Histogram<'method' | 'result'> {
    override get() {
      return Promise.resolve({ ...described, values: valuesOf(figures.tally.timings) });
    }
    /** Called by the registry when it formats the metric as text. */
    getForPromString() {
      return this.get();
    }
  }
  registry.registerMetric(new RequestTimes({ ...REQUEST_TIMES, registers: [] }));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

interface Kinds {
  readonly gauge: (name: string, help: string, samples: Samples) => void;
  readonly counter: (name: string, help: string, samples: Samples) => void;
}

function addFigures({ gauge, counter }: Kinds, figures: Figures): void {
  const { tally, vitals, sessions, processes, watchers } = figures;
  gauge('exec_console_info', 'Version of the gateway.', [[{ version: figures.version }, 1]]);
  gauge('exec_console_degraded', '1 if the gateway is degraded, otherwise 0; /status gives the reason.', [
    [{}, Number(figures.isDegraded)],
  ]);
  gauge('exec_console_connections', 'Open connections.', by('role', figures.connections));
  counter('exec_console_connections_total', 'Connections since the start.', by('role', tally.connections));
  gauge('exec_console_sessions', 'Sessions, including detached ones.', by('state', sessions));
  counter('exec_console_sessions_total', 'Sessions created or resumed.', by('how', tally.sessions));
  gauge(
    'exec_console_processes',
    'Running processes, and finished ones that are retained.',
    by('state', processes),
  );
  counter('exec_console_processes_started_total', 'Processes started.', by('kind', tally.started));
  counter(
    'exec_console_processes_not_started_total',
    'Processes that could not be started.',
    by('reason', tally.notStarted),
  );
  counter(
    'exec_console_processes_finished_total',
    'Processes that exited, by outcome.',
    by('result', tally.finished),
  );
  counter('exec_console_output_bytes_total', 'Bytes printed by processes.', [[{}, figures.outputBytes]]);
  counter('exec_console_input_bytes_total', 'Bytes written to processes.', [[{}, figures.inputBytes]]);
  gauge('exec_console_approvals_waiting', 'Requests waiting for a decision.', [
    [{}, figures.approvals.waiting],
  ]);
  gauge('exec_console_approvals_oldest_seconds', 'Age of the oldest waiting request.', [
    [{}, figures.approvals.oldestMs / 1000],
  ]);
  counter('exec_console_approvals_total', 'Requests that waited, by outcome.', by('result', tally.approvals));
  counter('exec_console_approval_decisions_total', 'Requests decided by a person.', [
    [{}, tally.approvalDecisions],
  ]);
  counter(
    'exec_console_approval_decision_seconds_total',
    'Total waiting time of the requests decided by a person.',
    [[{}, tally.approvalDecisionMs / 1000]],
  );
  gauge('exec_console_watchers', 'Connections watching the console.', [[{}, watchers.console]]);
  gauge('exec_console_attachments', 'Processes followed by key, counted for each connection.', [
    [{}, watchers.processes],
  ]);
  counter('exec_console_missed_bytes_total', 'Bytes of output skipped for slow watchers.', [
    [{}, watchers.missedBytes],
  ]);
  counter(
    'exec_console_refused_total',
    'Refused HTTP requests and connections, by status.',
    by('status', figures.refused),
  );
  addVitals({ gauge, counter }, tally, vitals);
}

function addVitals({ gauge, counter }: Kinds, tally: Tally, vitals: Vitals): void {
  const { eventLoop, disk, descriptors, memoryBytes, cpuSeconds } = vitals;
  if (eventLoop) {
    gauge(
      'exec_console_event_loop_delay_seconds',
      'Event loop delay over up to about a minute, or since the last request if longer.',
      [
        [{ quantile: '0.5' }, eventLoop.p50Ms / 1000],
        [{ quantile: '0.99' }, eventLoop.p99Ms / 1000],
        [{ quantile: '1' }, eventLoop.maxMs / 1000],
      ],
    );
  }
  if (disk)
    gauge('exec_console_state_free_bytes', 'Free space on the disk of the state folder.', [
      [{}, disk.freeBytes],
    ]);
  if (descriptors) {
    gauge('process_open_fds', 'Open file descriptors.', [[{}, descriptors.used]]);
    gauge('process_max_fds', 'Maximum number of open file descriptors.', [[{}, descriptors.limit]]);
  }
  if (memoryBytes !== null) {
    gauge('process_resident_memory_bytes', 'Resident memory.', [[{}, memoryBytes]]);
  }
  counter('process_cpu_seconds_total', 'CPU time, user and system.', [[{}, cpuSeconds]]);
  gauge('process_start_time_seconds', 'Start time of the gateway, in seconds since the epoch.', [
    [{}, tally.startedAtMs / 1000],
  ]);
}

const by = (label: string, values: Readonly<Record<string, number>>): Samples =>
  Object.entries(values).map(([value, count]) => [{ [label]: value }, count]);

const REQUEST_TIMES = {
  name: 'exec_console_request_duration_seconds',
  help: 'Time from a request to its reply, including time that the request asked to wait.',
  labelNames: ['method', 'result'],
} as const;

function valuesOf(timings: readonly Timing[]) {
  const { name } = REQUEST_TIMES;
  return timings.flatMap(({ method, outcome, counts, sumMs }) => {
    const labels = { method, result: outcome };
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      const bound = BUCKETS_MS[at];
      const le = bound === undefined ? '+Inf' : bound / 1000;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: total },
    ];
  });
}
