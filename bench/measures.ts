// Every measure, in the order in which they are taken.
import type { Measure } from './measure.ts';
import { link } from './measures/link.ts';
import { storm } from './measures/storm.ts';
import { watchers } from './measures/watchers.ts';

export const MEASURES: readonly Measure[] = [link, storm, watchers];
