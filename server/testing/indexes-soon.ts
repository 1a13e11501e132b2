// Limits of a gateway that indexes and seals recordings at once, however busy the machine is.
import type { Limits } from '../config.ts';

export const INDEXES_SOON = {
  recordIndexMs: 10,
  recordIndexLoad: Number.POSITIVE_INFINITY,
} satisfies Partial<Limits>;
