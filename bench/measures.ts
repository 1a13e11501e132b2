// Every measure, in the order in which they are taken.
import type { Measure } from './measure.ts';
import { growthChanges } from './measures/growth-changes.ts';
import { growthConnections } from './measures/growth-connections.ts';
import { growthFinished } from './measures/growth-finished.ts';
import { growthLive } from './measures/growth-live.ts';
import { link } from './measures/link.ts';
import { pageFloods } from './measures/page-floods.ts';
import { pageHidden } from './measures/page-hidden.ts';
import { pageHour } from './measures/page-hour.ts';
import { pageOpening } from './measures/page-opening.ts';
import { pageTyping } from './measures/page-typing.ts';
import { storm } from './measures/storm.ts';
import { watchers } from './measures/watchers.ts';

export const MEASURES: readonly Measure[] = [
  link,
  storm,
  watchers,
  growthLive,
  growthChanges,
  growthFinished,
  growthConnections,
  pageTyping,
  pageFloods,
  pageOpening,
  pageHour,
  pageHidden,
];
