// Formats durations, times, sizes and numbers for people.
import { numberText } from '../protocol/number-text.ts';

export { numberText };

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns `just now`, `3m ago`, `2h ago` or `4d ago`, coarse enough to stay true for a while. */
export function agoText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ago` : `${Math.floor(hours / 24)}d ago`;
}

/** Returns `<1s`, `12s`, `3m 04s`, `1h 02m` or `2d 03h`. */
export function durationText(ms: number): string {
  const whole = Math.floor(Math.max(0, ms) / 1000);
  if (whole < 1) return '<1s';
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${two(whole % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** Returns the time left as a duration, rounded up, so that a countdown from 5 s begins with `5s` and ends with `1s`. */
export const leftText = (ms: number): string => durationText(Math.ceil(ms / 1000) * 1000);

/** Returns the local time as `21:47`, or as `21:47:09` when `exact`. */
export function clockText(ms: number, exact = false): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), ...(exact ? [at.getSeconds()] : [])].map(two).join(':');
}

/** Returns the local date and time as `2026-11-26 21:47:09`. */
export function dateTimeText(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockText(ms, true)}`;
}

/** Returns `1 process` or `1,200 processes`, for example. */
export const countedText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns `812 bytes` or `48.2 MB`, for example. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // One decimal would round up to 1000.0 from 999.95 on.
  while (value >= (unit === 0 ? 1000 : 999.95) && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return value === 1 && unit === 0 ? '1 byte' : `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
