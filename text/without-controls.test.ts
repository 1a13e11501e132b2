// Compilation of the expressions, which must not be repeated on every call.
import { expect, it, vi } from 'vitest';
import { withoutControls } from './without-controls.ts';

it('withoutControls builds its expressions only once', () => {
  withoutControls('\u001b[1mone');
  // Compiling them calls this for every character of Unicode that takes no cell.
  const made = vi.spyOn(String, 'fromCodePoint');
  expect(withoutControls('\u001b[1mtwo')?.plain).toBe('two');
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});
