// Timeline drawn on a canvas: axis, lanes and bars. Thousands of bars take a few milliseconds.
import { statusOf, type ProcessStatus } from '../../../text/process-words.ts';
import type { Bar, Lane } from '../../state/timeline/timeline-lanes.ts';
import { isWithin, ticksOf, type TimeSpan } from '../../state/timeline/timeline-view.ts';

const AXIS_PX = 22;
const LABEL_PX = 20;
const ROW_PX = 12;
const BAR_PX = 8;
const GAP_PX = 8;
/** Minimum width of a bar: normally, and in a lane with so many visible bars that they would overlap. */
const LEAST_PX = 3;
const DENSE_PX = 1;
/** Height of the strip that marks a failure where bars are dense. */
const STRIP_PX = 3;
/** Horizontal distance in px from a bar within which the pointer still hovers over it. */
const NEAR_PX = 3;

export interface Scene {
  readonly lanes: readonly Lane[];
  readonly view: TimeSpan;
  readonly selection: TimeSpan | null;
  /** Key of the process under the keyboard cursor; null when there is none. */
  readonly cursor: string | null;
  readonly nowMs: number;
}

const laneHeight = ({ rows }: Lane): number => LABEL_PX + rows * ROW_PX + GAP_PX;

/** Returns the top of each lane in px, followed by the bottom of the last lane. */
export function laneTops(lanes: readonly Lane[]): number[] {
  const tops = [AXIS_PX];
  for (const lane of lanes) tops.push((tops.at(-1) ?? 0) + laneHeight(lane));
  return tops;
}

const xOf = (atMs: number, { fromMs, toMs }: TimeSpan, width: number): number =>
  ((atMs - fromMs) / (toMs - fromMs)) * width;

export const timeAt = (x: number, { fromMs, toMs }: TimeSpan, width: number): number =>
  fromMs + (x / Math.max(1, width)) * (toMs - fromMs);

/** Returns the bar at or near a position; of overlapping bars, the one that is drawn last; null when there is none. */
export function barAt({ lanes, view }: Scene, { x, y }: { x: number; y: number }, width: number): Bar | null {
  const tops = laneTops(lanes);
  const at = lanes.findIndex((lane, index) => y < (tops[index] ?? 0) + laneHeight(lane));
  const lane = lanes[at];
  if (!lane) return null;
  const row = Math.floor((y - (tops[at] ?? 0) - LABEL_PX) / ROW_PX);
  const found = lane.bars.filter((bar) => {
    if (bar.row !== row) return false;
    const left = xOf(bar.fromMs, view, width);
    return x >= left - NEAR_PX && x <= Math.max(left + LEAST_PX, xOf(bar.toMs, view, width)) + NEAR_PX;
  });
  return inDrawingOrder(found).at(-1) ?? null;
}

/** Returns the bars with failures last, so that no other outcome is drawn over them. */
function inDrawingOrder(bars: readonly Bar[]): readonly Bar[] {
  const hasFailed = ({ entry }: Bar): boolean => statusOf(entry) === 'failed';
  return [...bars.filter((bar) => !hasFailed(bar)), ...bars.filter(hasFailed)];
}

const TOKENS: { readonly [status in ProcessStatus]: string } = {
  'waiting-for-approval': '--warn',
  starting: '--running',
  running: '--running',
  terminating: '--running',
  succeeded: '--ok',
  failed: '--bad',
  stopped: '--warn',
  lost: '--warn',
};

export function drawTimeline(canvas: HTMLCanvasElement, scene: Scene): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const style = getComputedStyle(canvas);
  const colour = (token: string): string => style.getPropertyValue(token).trim();
  drawAxis(context, scene, { width, height, colour, font: style.fontFamily });
  drawSelection(context, scene, { width, height, colour });
  const colours = new Map(Object.values(TOKENS).map((token) => [token, colour(token)]));
  const accent = colour('--text');
  const tops = laneTops(scene.lanes);
  scene.lanes.forEach((lane, at) => {
    const top = (tops[at] ?? 0) + LABEL_PX;
    const bars = lane.bars.filter(({ fromMs, toMs }) => isWithin({ fromMs, toMs }, scene.view));
    const least = bars.length * LEAST_PX > width / 2 ? DENSE_PX : LEAST_PX;
    for (const bar of inDrawingOrder(bars))
      drawBar(context, bar, { scene, top, width, least, colours, accent });
  });
}

interface Room {
  readonly width: number;
  readonly height: number;
  readonly colour: (token: string) => string;
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { lanes, view, nowMs }: Scene,
  { width, height, colour, font }: Room & { readonly font: string },
): void {
  context.font = `11px ${font}`;
  context.textBaseline = 'middle';
  for (const { atMs, text } of ticksOf(view, width)) {
    const x = Math.round(xOf(atMs, view, width)) + 0.5;
    context.fillStyle = colour('--line');
    context.fillRect(x, AXIS_PX - 4, 1, height);
    context.fillStyle = colour('--text-dim');
    context.fillText(text, x + 4, AXIS_PX / 2);
  }
  context.fillStyle = colour('--line');
  for (const top of laneTops(lanes).slice(0, -1)) context.fillRect(0, top, width, 1);
  const now = xOf(nowMs, view, width);
  context.fillStyle = colour('--accent');
  if (now >= 0 && now <= width) context.fillRect(now, AXIS_PX - 4, 1, height);
}

function drawSelection(
  context: CanvasRenderingContext2D,
  { view, selection }: Scene,
  { width, height, colour }: Room,
): void {
  if (!selection) return;
  const [from, to] = [xOf(selection.fromMs, view, width), xOf(selection.toMs, view, width)];
  context.fillStyle = colour('--accent');
  context.globalAlpha = 0.14;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = 1;
  context.fillRect(from, 0, 1, height);
  context.fillRect(to, 0, 1, height);
}

interface BarParts {
  readonly scene: Scene;
  readonly top: number;
  readonly width: number;
  readonly least: number;
  readonly colours: ReadonlyMap<string, string>;
  readonly accent: string;
}

/**
 * Draws a bar. A failure is taller than the others or, where bars are dense, a strip above them, so that it can be seen
 * without colour.
 */
function drawBar(
  context: CanvasRenderingContext2D,
  { entry, fromMs, toMs, row }: Bar,
  { scene: { view, cursor }, top, width, least, colours, accent }: BarParts,
): void {
  const status = statusOf(entry);
  const isStrip = status === 'failed' && least === DENSE_PX;
  const height = isStrip ? STRIP_PX : status === 'failed' ? BAR_PX + 3 : BAR_PX;
  const left = Math.max(-LEAST_PX, xOf(fromMs, view, width));
  const length = Math.max(least, Math.min(width + LEAST_PX, xOf(toMs, view, width)) - left);
  const y = top + row * ROW_PX + (isStrip ? -STRIP_PX : (BAR_PX - height) / 2);
  context.fillStyle = colours.get(TOKENS[status]) ?? '';
  if (length < 8) context.fillRect(left, y, length, height);
  else {
    context.beginPath();
    context.roundRect(left, y, length - 1, height, 3);
    context.fill();
  }
  if (entry.key !== cursor) return;
  context.strokeStyle = accent;
  context.lineWidth = 2;
  context.strokeRect(left - 2, y - 2, length + 3, height + 4);
}
