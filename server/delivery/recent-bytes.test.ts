// Tests of the distinction of an echo from a flood: rule DE12.
import { beforeEach, expect, it } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import { Cursor } from './attachment.ts';
import { RecentBytes } from './recent-bytes.ts';

let log: EventLog;
let cursor: Cursor;
let recent: RecentBytes;
beforeEach(() => {
  log = new EventLog({ retainedBytes: 1000, retainedEvents: 100, chunkBytes: 64 });
  log.append('pty', Buffer.alloc(300));
  cursor = new Cursor(log);
  recent = new RecentBytes(cursor);
});

it('[DE12] RecentBytes counts unread output, without output from before the cursor', () => {
  expect(recent.bytesSince(0)).toBe(0);
  log.append('pty', Buffer.alloc(10));
  expect(recent.bytesSince(0)).toBe(10);
});

it('[DE12] RecentBytes includes output sent in the same round, so that a flood in small pieces counts as a flood', () => {
  for (let piece = 1; piece <= 5; piece += 1) {
    log.append('pty', Buffer.alloc(10));
    expect(recent.bytesSince(0)).toBe(10 * piece);
    cursor.pull();
  }
  expect(recent.bytesSince(1)).toBe(0);
});
