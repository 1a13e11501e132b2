// Records the README's animation: an agent's processes appear, one is watched, one waits for approval, one is
// terminated.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Width of the animation in pixels; the page is 1120 px wide. */
const WIDTH = 960;
const COLOURS = 96;

/**
 * Plays the scene in `page` and writes it to `path`. `start` starts a process as an agent; `frames` is a
 * folder for single frames. Throws when ImageMagick is missing or fails.
 */
export async function film({ page, start, path, frames }) {
  mkdirSync(frames, { recursive: true });
  const shots = [];
  const wait = (ms) => page.evaluate((t) => new Promise((resolve) => setTimeout(resolve, t)), ms);
  /** Takes a frame that is shown for `seconds`. */
  const take = async (seconds) => {
    const file = join(frames, `${String(shots.length).padStart(3, '0')}.png`);
    await page.screenshot({ path: file });
    shots.push('-delay', String(Math.round(seconds * 100)), file);
  };
  /** Takes `count` frames, 0.4 s apart, of something that moves. */
  const takeMoving = async (count) => {
    for (let i = 0; i < count; i += 1) {
      await take(0.4);
      await wait(400);
    }
  };
  const row = (key) => page.locator(`[role="row"][data-process-key="${key}"]`);
  const paneOf = (key) => page.locator(`[role="region"][data-process-key="${key}"]`);

  await take(1.6);
  const tests = await start(['./run-tests']);
  await row(tests.key).waitFor();
  await wait(500);
  await take(0.8);
  const server = await start(['./serve', '--port', '3000']);
  const build = await start(['./bundle', '--production']);
  await row(build.key).waitFor();
  await wait(700);
  await take(1.4);
  await row(tests.key).focus();
  await page.keyboard.press('Enter');
  await paneOf(tests.key).waitFor();
  await wait(600);
  await take(1.4);
  await row(server.key).focus();
  await page.keyboard.press('v');
  await paneOf(server.key).waitFor();
  await takeMoving(5);

  await page.getByRole('button', { name: 'Pause all agents' }).click();
  const held = start(['bash', '-lc', 'npm test && git push origin main']);
  const card = page.getByRole('article').first();
  await card.waitFor();
  await wait(900);
  await take(2.6);
  await card.getByRole('button', { name: 'Decline' }).click();
  await held;
  await wait(700);
  await take(1.4);
  await page.getByRole('button', { name: 'Unpause all agents' }).click();

  await row(build.key).focus();
  await page.keyboard.press('Enter');
  const pane = paneOf(build.key);
  await pane.waitFor();
  await takeMoving(3);
  await pane.getByRole('button', { name: 'Terminate' }).click();
  await wait(500);
  await take(1.6);
  await page.keyboard.press('Enter');
  await wait(700);
  await takeMoving(3);
  await pane.getByText('everything ended').waitFor();
  await wait(600);
  await take(3);

  const args = [
    ...shots,
    '-resize',
    `${WIDTH}x`,
    '+dither',
    '-colors',
    String(COLOURS),
    '-layers',
    'Optimize',
    '-loop',
    '0',
  ];
  const { status, stderr, error } = spawnSync('convert', [...args, path]);
  if (error) throw error;
  if (status !== 0) throw new Error(`convert failed: ${stderr.toString()}`);
}
