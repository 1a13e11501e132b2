// Received bytes of an unfinished message: rule LI15.
import { expect, it } from 'vitest';
import { Arriving } from './arriving.ts';

it('[LI15] Arriving counts the bytes of a message from the first to the last', () => {
  const arriving = new Arriving();
  expect([arriving.bytes, arriving.sinceMs]).toEqual([0, null]);
  arriving.received(100, 1);
  arriving.received(50, 2);
  expect([arriving.bytes, arriving.sinceMs]).toEqual([150, 1]);
  arriving.whole();
  expect([arriving.bytes, arriving.sinceMs]).toEqual([0, null]);
});

it('[LI15] Arriving does not count pings and pongs, alone or in the middle of a message', () => {
  const arriving = new Arriving();
  arriving.received(6, 1);
  arriving.control(0);
  expect([arriving.bytes, arriving.sinceMs]).toEqual([0, null]);
  arriving.received(1000, 2);
  arriving.received(16, 3);
  arriving.control(10);
  expect([arriving.bytes, arriving.sinceMs]).toEqual([1000, 2]);
});
