// Usage of the last minute as numbers and graphs.
import { bytesText } from '../../../text/amounts.ts';
import { MOST_SAMPLES, type UsageSample } from './usage-feed.ts';

/** Returns `87%` of one core; a dash while unknown. */
export const cpuText = (cpu: number | null): string => (cpu === null ? '–' : `${Math.round(cpu * 100)}%`);

interface Graph {
  /** Path of the CPU area, from the bottom. */
  readonly cpu: string;
  /** Path of the memory line. */
  readonly memory: string;
  /** Path of the base line, as far as samples reach. */
  readonly ground: string;
}

/** Returns a description of the graph: its time span and scale. */
export function graphText(samples: number, mostMemoryBytes: number): string {
  const since = samples < MOST_SAMPLES ? `The last ${samples}s, measured by this page` : 'The last minute';
  return `${since}: area CPU, line memory, as high as the graph at ${bytesText(mostMemoryBytes)}, the most of any in sight`;
}

/**
 * Returns the graph, as wide as `most` samples. Its height is one core, or the most that was used if that is more. Memory is drawn on the scale of
 * the largest in view, so that a small process looks small next to it.
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
