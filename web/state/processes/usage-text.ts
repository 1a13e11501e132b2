// Usage as numbers and as graphs, by default of the last minute.
import { bytesText, durationText } from '../../../text/amounts.ts';
import { MOST_SAMPLES, type UsageSample } from './usage-feed.ts';

/** Returns for example `87%` (of one core), or a dash while unknown. */
export const cpuText = (cpu: number | null): string => (cpu === null ? '–' : `${Math.round(cpu * 100)}%`);

interface Graph {
  /** SVG path of the CPU area, starting at the bottom. */
  readonly cpu: string;
  /** SVG path of the memory line. */
  readonly memory: string;
  /** SVG path of the baseline, as wide as the samples. */
  readonly ground: string;
}

/** Describes the graph: its time span and scale. */
export function graphText(samples: number, mostMemoryBytes: number): string {
  const since =
    samples < MOST_SAMPLES
      ? `The last ${durationText(samples * 1000)}, measured by this page`
      : 'The last minute';
  return `${since}. Area: CPU. Line: memory; full height is ${bytesText(mostMemoryBytes)}, the most used by any visible process.`;
}

/**
 * Returns the graph, as wide as `most` samples. The full height is one core for CPU, or the maximum used if
 * that is higher; for memory, it is `mostMemoryBytes`, so that small processes look small next to large ones.
 */
export function graphOf(
  samples: readonly UsageSample[],
  mostMemoryBytes: number,
  {
    width,
    height,
    most = MOST_SAMPLES,
  }: { readonly width: number; readonly height: number; readonly most?: number },
): Graph {
  if (samples.length === 0) return { cpu: '', memory: '', ground: '' };
  const step = width / (most - 1);
  const left = width - (samples.length - 1) * step;
  const mostCpu = Math.max(1, ...samples.map(({ cpu }) => cpu ?? 0));
  const points = (of: (sample: UsageSample) => number): string[] =>
    samples.map((sample, i) => `${round(left + i * step)} ${round(height * (1 - of(sample)))}`);
  const cpu = points((sample) => (sample.cpu ?? 0) / mostCpu);
  const memory = points(({ memoryBytes }) => memoryBytes / Math.max(1, mostMemoryBytes));
  return {
    cpu: `M${round(left)} ${height} L${cpu.join(' L')} L${width} ${height} Z`,
    memory: `M${memory.join(' L')}`,
    ground: `M${round(left)} ${height} L${width} ${height}`,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
