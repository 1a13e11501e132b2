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
  const draw = (name: string): void => credit.for(() => told.push(name))();
  draw('a');
  isReading = true;
  draw('b');
  draw('c');
  credit.release();
  expect(told).toEqual(['a', true]);
  isReading = false;
  credit.release();
  credit.release();
  draw('d');
  expect(told).toEqual(['a', true, false, 'b', 'c', 'd']);
});
