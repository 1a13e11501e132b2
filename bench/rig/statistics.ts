// Computes medians and percentiles of all measured values, without removing outliers.

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Returns the smallest value that is at least as large as this share of all values; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const index = Math.max(0, Math.ceil(values.length * share) - 1);
  return sorted(values)[index] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const inOrder = sorted(values);
  const low = inOrder[(values.length - 1) >> 1] ?? Number.NaN;
  const high = inOrder[values.length >> 1] ?? Number.NaN;
  return (low + high) / 2;
}
