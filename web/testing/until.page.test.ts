// Waiting for conditions of the document while modules are loading.
import { expect, it, vi } from 'vitest';

it('until waits longer than its timeout for modules that are still loading', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.resetModules();
  const { until } = await import('./until.ts');
  let isLoaded = false;
  vi.spyOn(vi, 'dynamicImportSettled').mockImplementation(() => {
    isLoaded = true;
    return Promise.resolve();
  });
  const shown = until(() => {
    nowMs += 60_000;
    if (!isLoaded) throw new Error('not shown yet');
    return 'shown';
  });
  await expect(shown).resolves.toBe('shown');
  const absent = until(() => {
    nowMs += 60_000;
    throw new Error('absent');
  });
  await expect(absent).rejects.toThrow('absent');
  vi.restoreAllMocks();
});
