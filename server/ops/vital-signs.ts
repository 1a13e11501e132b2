// Vital signs of the gateway, such as event loop delay, free disk space and open descriptors.
import { readdirSync, statfsSync } from 'node:fs';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { bytesText, numberText } from '../../text/amounts.ts';
import { softLimit } from '../host/soft-limit.ts';
import type { Health } from './health.ts';

export interface Vitals {
  /**
   * Event loop delays, over up to about a minute or, if that is longer, since the last request; null before the first
   * samples, because sampling begins with a request, and stops after ASKED_MS without one.
   */
  readonly eventLoop: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number } | null;
  /** Space on the disk of the state folder; null when unknown. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  readonly descriptors: { readonly used: number; readonly limit: number } | null;
  /** Resident memory; null when no descriptor is free to read it. */
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number;
}

export interface VitalSignsOptions {
  readonly stateDir: string;
  readonly health: Health;
  /** Interval between checks for warnings in the console. */
  readonly everyMs: number;
}

const LEAST_FREE_BYTES = 64_000_000;
/** Minimum free share of a small disk, which may never have LEAST_FREE_BYTES; the lower of the two limits applies. */
const LEAST_FREE_SHARE = 0.05;
const MOST_DESCRIPTORS_SHARE = 0.9;
/** Delay of a timer which, twice in a row, means that the event loop is overloaded. */
const LATE_MS = 1000;
/** Interval between event loop samples while there are requests, and the time after which a request discards them. */
const RESOLUTION_MS = 20;
const WINDOW_MS = 60_000;
/** Time without a request after which sampling stops. */
const ASKED_MS = 5 * 60_000;

export class VitalSigns {
  readonly #options: VitalSignsOptions;
  readonly #timer: NodeJS.Timeout;
  #delay: IntervalHistogram | null = null;
  #sinceMs = 0;
  #askedAtMs = 0;
  #expectedAtMs: number;
  #wasLate = false;

  constructor(options: VitalSignsOptions) {
    this.#options = options;
    this.#expectedAtMs = performance.now() + options.everyMs;
    this.#timer = setInterval(() => this.#look(), options.everyMs).unref();
  }

  read(): Vitals {
    const { user, system } = process.cpuUsage();
    return {
      eventLoop: this.#eventLoop(),
      disk: this.#disk(),
      descriptors: descriptors(),
      memoryBytes: residentBytes(),
      cpuSeconds: (user + system) / 1e6,
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay?.disable();
  }

  #look(): void {
    const { stateDir, health, everyMs } = this.#options;
    const now = performance.now();
    const lateMs = now - this.#expectedAtMs;
    this.#expectedAtMs = now + everyMs;
    const isLate = lateMs > LATE_MS;
    health.report(
      'event loop',
      isLate && this.#wasLate
        ? `The gateway responds ${Math.round(lateMs / 1000)} s late: this machine or the gateway is overloaded.`
        : null,
    );
    this.#wasLate = isLate;
    const disk = this.#disk();
    const least = Math.min(LEAST_FREE_BYTES, LEAST_FREE_SHARE * (disk?.totalBytes ?? 0));
    health.report(
      'disk',
      disk && disk.freeBytes < least
        ? `Less than ${bytesText(least)} is free on the disk of ${stateDir}: soon neither tokens nor the audit log can be ` +
            'written. Free some space on that disk.'
        : null,
    );
    const open = descriptors();
    health.report(
      'descriptors',
      open && open.used > MOST_DESCRIPTORS_SHARE * open.limit
        ? `More than 90% of the ${numberText(open.limit)} files that the gateway may open are in use: soon nothing can be started. ` +
            'End processes that are not needed, or start the gateway with a higher limit (ulimit -n).'
        : null,
    );
    if (this.#delay && now - this.#askedAtMs > ASKED_MS) {
      this.#delay.disable();
      this.#delay = null;
    }
  }

  #eventLoop(): Vitals['eventLoop'] {
    const now = performance.now();
    this.#askedAtMs = now;
    if (!this.#delay) {
      this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#delay.enable();
      this.#sinceMs = now;
      return null;
    }
    const delay = this.#delay;
    if (delay.count === 0) return null;
    // Each value is the time between two ticks of the histogram's timer, so its interval is subtracted.
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const seen = { p50Ms: ms(delay.percentile(50)), p99Ms: ms(delay.percentile(99)), maxMs: ms(delay.max) };
    if (now - this.#sinceMs > WINDOW_MS) {
      delay.reset();
      this.#sinceMs = now;
    }
    return seen;
  }

  #disk(): Vitals['disk'] {
    try {
      const { bavail, blocks, bsize } = statfsSync(this.#options.stateDir);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch {
      return null;
    }
  }
}

function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

function descriptors(): Vitals['descriptors'] {
  try {
    const limit = softLimit('self', 'Max open files') ?? Number.POSITIVE_INFINITY;
    // One of the names is the descriptor with which the folder was read, and which is closed by now.
    return { used: readdirSync('/proc/self/fd').length - 1, limit: Number(limit) };
  } catch {
    return null;
  }
}
