// The cost of a text beside its own length.
import { expect, it, vi } from 'vitest';
import { withoutControls } from './without-controls.ts';

it('leaves controls out of every text with expressions that it has made once', () => {
  withoutControls('\u001b[1mone');
  // Every character of Unicode that takes no cell goes through this when they are made.
  const made = vi.spyOn(String, 'fromCodePoint');
  expect(withoutControls('\u001b[1mtwo')?.plain).toBe('two');
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});
