// @vitest-environment happy-dom
// The note of the help that names the keys for copying and interrupting.
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

it.each([
  ['a Mac', 'MacIntel', '⌘C copies the selection, and ⌃C interrupts.'],
  ['Linux', 'Linux x86_64', 'CtrlC copies the selection, or interrupts if nothing is selected.'],
])('The help names the keys for copying and interrupting on %s', async (_, platform, text) => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform);
  vi.resetModules();
  const { HelpSheet } = await import('./help-sheet.tsx');
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  await act(async () => root.render(<HelpSheet onClose={() => {}} />));
  expect(element.querySelector('.help-note')?.textContent).toContain(text);
  await act(async () => root.unmount());
});
