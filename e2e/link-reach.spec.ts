// The reach of a share link, shown next to it: this machine only, or everyone who can reach the address.
import decodeQR from 'qr/decode.js';
import { expect, expectAccessible, test, ConsolePage } from './fixtures.ts';
import { Gateway } from './gateway.ts';

async function makeLink({ page }: ConsolePage): Promise<string> {
  await page.getByRole('button', { name: '1 person' }).click();
  await page.getByRole('button', { name: 'Access and tokens' }).click();
  await page.getByRole('button', { name: 'Share the console …' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  return page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
}

test('a link to a loopback address has a note that other machines cannot open it directly, and explains how to reach it from others', async ({
  console,
}) => {
  const { page } = console;
  const { host, port } = new URL(await makeLink(console));
  const notes = page.getByRole('region', { name: 'Other machines can’t open this link directly' });
  await expect(notes).toContainText(host);
  await expect(notes.getByRole('textbox', { name: /^Tunnel/ })).toHaveValue(
    `ssh -N -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE`,
  );
  await expect(notes.getByRole('textbox', { name: /proxy/ })).toHaveValue(/--public-url https:/);
  await expect(notes).toContainText('the second one takes over. Ctrl-C ends the processes');
  const docs = await page.request.get(
    await notes.getByRole('link').evaluate((link: HTMLAnchorElement) => link.href),
  );
  expect(docs.headers()['content-type']).toBe('text/plain; charset=utf-8');
  expect(await docs.text()).toContain('## With a tunnel');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const text of await page.locator('.secret-line textarea').all())
      expect(
        await text.evaluate((box) => [
          box.scrollWidth - box.clientWidth,
          box.scrollHeight - box.clientHeight,
        ]),
      ).toEqual([0, 0]);
  }
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0);
  await expectAccessible(page);
});

test('a link that others can reach has a QR code of the same address', async ({ page }) => {
  const gateway = await Gateway.start({ flags: ['--public-url', 'https://dev.example/console/'] });
  try {
    const code = new URL(gateway.pageUrl).hash;
    await page.goto(`${gateway.url.replace('ws', 'http')}/${code}`);
    const console = new ConsolePage(page);
    await console.isOnline();
    const link = await makeLink(console);
    expect(link).toMatch(/^https:\/\/dev\.example\/console\/#share=/);
    const drawing = page.getByRole('img', { name: 'QR code of the link' });
    await expect(drawing).toBeVisible();
    await expect(page.getByText('open this link directly')).toHaveCount(0);
    expect(decodeQR(await bitmapOf(drawing))).toBe(link);
    await expectAccessible(page);
  } finally {
    await gateway.stop();
  }
});

/** Returns a bitmap of a QR code as from a camera, with several pixels per module. */
async function bitmapOf(drawing: ReturnType<ConsolePage['page']['getByRole']>) {
  const scale = 4;
  const side = Number((await drawing.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await drawing.locator('path').getAttribute('d')) ?? '';
  const data = new Uint8Array(side * side * scale * scale * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let at = 0; at < scale * scale; at += 1) {
      const column = Number(x) * scale + (at % scale);
      const row = Number(y) * scale + Math.floor(at / scale);
      data.fill(0, (row * side * scale + column) * 4, (row * side * scale + column) * 4 + 3);
    }
  }
  return { width: side * scale, height: side * scale, data };
}
