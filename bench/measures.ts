// All measures, in the order in which they are taken by default.
import type { Measure } from './rig/measure.ts';
import { bulk } from './measures/bulk.ts';
import { echo } from './measures/echo.ts';
import { fanOut } from './measures/fan-out.ts';
import { growthChanges } from './measures/growth-changes.ts';
import { growthConnections } from './measures/growth-connections.ts';
import { growthFinished } from './measures/growth-finished.ts';
import { growthLive } from './measures/growth-live.ts';
import { historySearch } from './measures/history-search.ts';
import { historyStart } from './measures/history-start.ts';
import { link } from './measures/link.ts';
import { mcp } from './measures/mcp.ts';
import { oneshot } from './measures/oneshot.ts';
import { pageFloods } from './measures/page-floods.ts';
import { pageHidden } from './measures/page-hidden.ts';
import { pageHour } from './measures/page-hour.ts';
import { pageOpening } from './measures/page-opening.ts';
import { pageRows } from './measures/page-rows.ts';
import { pageTyping } from './measures/page-typing.ts';
import { resume } from './measures/resume.ts';
import { stall } from './measures/stall.ts';
import { storm } from './measures/storm.ts';
import { tails } from './measures/tails.ts';
import { watchers } from './measures/watchers.ts';

export const MEASURES: readonly Measure[] = [
  oneshot,
  mcp,
  echo,
  link,
  bulk,
  stall,
  storm,
  fanOut,
  resume,
  tails,
  watchers,
  growthLive,
  growthChanges,
  growthFinished,
  growthConnections,
  historySearch,
  historyStart,
  pageTyping,
  pageFloods,
  pageOpening,
  pageHour,
  pageHidden,
  pageRows,
];
