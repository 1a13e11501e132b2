// Who reads further up is not flooded away, and gets what comes when they are back.
import { expect, it } from 'vitest';
import { HeldCredit } from './held-credit.ts';

it('holds what was drawn while it is read elsewhere, and gives it in its order, once', () => {
  let isReading = false;
  const told: (string | boolean)[] = [];
  const credit = new HeldCredit(
    () => isReading,
    (isHeld) => told.push(isHeld),
  );
  const draw = (name: string, bytes = 1): void => credit.for(() => told.push(name), bytes)();
  draw('a');
  isReading = true;
  draw('b');
  credit.release();
  expect(told).toEqual(['a']);
  draw('c', 600_000);
  draw('d', 600_000);
  expect(told).toEqual(['a', true]);
  isReading = false;
  credit.release();
  credit.release();
  draw('e');
  expect(told).toEqual(['a', true, false, 'b', 'c', 'd', 'e']);
});

it('says nothing of what waits when it is less than is sent anyway', () => {
  let isReading = true;
  const told: (string | boolean)[] = [];
  const credit = new HeldCredit(
    () => isReading,
    (isHeld) => told.push(isHeld),
  );
  credit.for(() => told.push('a'), 1000)();
  isReading = false;
  credit.release();
  expect(told).toEqual(['a']);
});
