// Texts of the page for a sign-in link or a share link that the gateway refuses, or while it cannot be reached.
import { it, vi } from 'vitest';
import { expect, newPage, type TestPage } from '../../testing/page.ts';

/** Opens a link in a browser without a credential; `answer` returns the gateway's response. */
async function opened(fragment: string, answer: () => Promise<Response>): Promise<TestPage> {
  vi.stubGlobal('fetch', answer);
  location.hash = fragment;
  const page = newPage();
  page.isSignedIn = false;
  return page.load();
}

const refusal = (status: number, reason: string) => (): Promise<Response> =>
  Promise.resolve(new Response(reason, { status }));
const unreachable = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

const CODE = `#code=${'c'.repeat(32)}`;
const SHARE = `#share=${'s'.repeat(43)}`;
const NO_ANSWER = 'The gateway cannot be reached: no usable answer from localhost:3000.';

it.each([
  [
    'used',
    refusal(401, 'this link has expired or was already used'),
    'This link has expired or was already used.',
  ],
  ['unanswered', unreachable, NO_ANSWER],
])('a sign-in link that is %s is explained in one sentence', async (_, answer, text) => {
  const page = await opened(CODE, answer);
  await expect(page.getByRole('alert')).toHaveText(text);
});

it.each([
  ['incomplete', 'c'.repeat(31)],
  ['overlong', 'c'.repeat(201)],
])('a sign-in link with an %s code is explained', async (_, code) => {
  const page = await opened(`#code=${code}`, refusal(400, 'expected a JSON object'));
  await expect(page.getByRole('alert')).toHaveText(
    /^This link has no complete code: a sign-in link ends with #code=/,
  );
});

it.each([
  ['incomplete', 's'.repeat(42)],
  ['overlong', 's'.repeat(201)],
])('a share link with an %s secret is explained', async (_, share) => {
  const page = await opened(`#share=${share}`, refusal(400, 'expected a JSON object'));
  await expect(page.getByRole('heading', { name: 'This share cannot be opened' })).toBeVisible();
  await expect(page.locator('.sign-in-card p')).toHaveText(
    /^This share link is incomplete: a share link ends with/,
  );
});

it.each([
  [
    'ended',
    refusal(401, 'this share was revoked or has expired'),
    'This share has ended',
    /^It was revoked or has expired\. To keep/,
  ],
  [
    'is full',
    refusal(429, 'this share is full; try again later'),
    'This share cannot be opened',
    /^This share is full; try again later\.$/,
  ],
  ['cannot be reached', unreachable, 'This share cannot be opened', NO_ANSWER],
])('a share link that %s is explained', async (_, answer, title, text) => {
  const page = await opened(SHARE, answer);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page.locator('.sign-in-card p')).toHaveText(text);
});
