// Theme: dark, light or the system's, stored in the browser.
import { it } from 'vitest';
import { expect, newPage, setMedia, type Locator, type TestPage } from '../../testing/page.ts';

async function openSettings(page: TestPage): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog).toBeVisible();
  return dialog;
}

it('the theme is dark, light, or that of the system', async () => {
  const page = await newPage().load();
  const theme = (): string | undefined => document.documentElement.dataset['theme'];
  const dialog = await openSettings(page);
  await expect(dialog.getByRole('radio', { name: 'System' })).toBeChecked();
  expect(theme()).toBe('dark');
  await dialog.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(theme).toBe('light');
  await page.reload();
  expect(theme()).toBe('light');
  await (await openSettings(page)).getByRole('radio', { name: 'System' }).check();
  await expect.poll(theme).toBe('dark');
  setMedia({ '(prefers-color-scheme: light)': true });
  await expect.poll(theme).toBe('light');
  // Another page of this browser stores its choice.
  localStorage.setItem('exec-console.theme', 'dark');
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'exec-console.theme' }));
  await expect.poll(theme).toBe('dark');
});
