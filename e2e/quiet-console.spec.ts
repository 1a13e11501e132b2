// Output is drawn in its pane, and never written to the browser's console: rule LG6.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileOutput } from '../server/testing/hostile-output.ts';
import { expect, test } from './fixtures.ts';

test("[LG6] output on a terminal and into a pipe writes nothing to the browser's console", async ({
  agent,
  console,
  gateway,
}) => {
  const lines: string[] = [];
  console.page.on('console', (message) => lines.push(message.text()));
  console.page.on('pageerror', (error) => lines.push(String(error)));
  const file = join(gateway.dir, 'output');
  writeFileSync(file, hostileOutput(300_000));
  const script = 'read -r go; cat "$0"; printf "\\033c\\030\\nall is printed"; sleep 600';
  for (const tty of [true, false])
    await test.step(tty ? 'on a terminal' : 'into a pipe', async () => {
      const { key } = await agent.start(['/bin/sh', '-c', script, file], { tty, pipeStdin: true });
      const pane = await console.open(key);
      await console.page.evaluate((k) => window.execConsole.write(k, '\n'), key);
      await console.shows(key, 'all is printed');
      await pane.locator('.pane-views').click();
      expect(lines).toEqual([]);
    });
});
