// A minute of use as numbers and as lines.
import { MOST_SAMPLES, type UsageSample } from './usage-feed.ts';

/** `87 %` of one core; a dash while it is not known. */
export const cpuText = (cpu: number | null): string => (cpu === null ? '–' : `${Math.round(cpu * 100)} %`);

interface Graph {
  /** An area, from the bottom. */
  readonly cpu: string;
  /** A line. */
  readonly memory: string;
}

/** One core, or the most that was used if that is more, is the height; of memory the most is four fifths of it. */
export function graphOf(
  samples: readonly UsageSample[],
  { width, height }: { readonly width: number; readonly height: number },
): Graph {
  if (samples.length === 0) return { cpu: '', memory: '' };
  const step = width / (MOST_SAMPLES - 1);
  const left = width - (samples.length - 1) * step;
  const mostCpu = Math.max(1, ...samples.map(({ cpu }) => cpu ?? 0));
  const mostMemory = Math.max(1, ...samples.map(({ memoryBytes }) => memoryBytes)) / 0.8;
  const points = (of: (sample: UsageSample) => number): string[] =>
    samples.map((sample, i) => `${round(left + i * step)} ${round(height * (1 - of(sample)))}`);
  const cpu = points((sample) => (sample.cpu ?? 0) / mostCpu);
  const memory = points(({ memoryBytes }) => memoryBytes / mostMemory);
  return {
    cpu: `M${round(left)} ${height} L${cpu.join(' L')} L${width} ${height} Z`,
    memory: `M${memory.join(' L')}`,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
