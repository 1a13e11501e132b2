// A tab that nobody sees: it asks for nothing of what only prints, and is exact when it comes back.
import { freshTerminal, written } from '../server/testing/seen-terminal.ts';
import { screenText } from '../web/terminal/buffer-text.ts';
import { setHidden } from './away.ts';
import { expect, test, type ConsolePage } from './fixtures.ts';

const SIZE = { rows: 24, cols: 80 };
const REPEAT = ['sh', '-c', 'stty -echo; while read -r count; do seq 1 "$count"; done'];

/** What the page asks and is told, by method, from its next connection on. */
function spokenWith({ page }: ConsolePage): { asked: string[]; told: string[] } {
  const [asked, told]: [string[], string[]] = [[], []];
  const note = (methods: string[], payload: string | Buffer): void => {
    const { method, params } = JSON.parse(String(payload)) as { method?: string; params?: object };
    if (method) methods.push(params && 'printed' in params ? 'printed' : method);
  };
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => note(asked, payload));
    socket.on('framereceived', ({ payload }) => note(told, payload));
  });
  return { asked, told };
}

for (const { name, lines } of [
  { name: 'a little', lines: 500 },
  { name: 'more than is kept', lines: 400_000 },
])
  test(`a page that was hidden while ${name} was printed is exact when it comes back, and was told nothing of it`, async ({
    agent,
    console,
    page,
    gateway,
  }) => {
    const { asked, told } = spokenWith(console);
    await page.goto(new URL('/', gateway.pageUrl).href);
    await console.isOnline();
    const { key, processId } = await agent.start(REPEAT, { tty: true });
    await console.open(key);
    await agent.write({ processId }, '7\n');
    await console.shows(key, '7');
    await setHidden(console, true);
    await expect.poll(() => asked).toContain('process/detach');
    const before = told.length;
    await agent.write({ processId }, `${lines}\n`);
    await agent.waitOutput(processId, `\n${lines}\r\n`);
    // What is told at once comes after what would have been told before.
    const last = await agent.start(['true']);
    await expect(console.row(last.key)).toBeAttached();
    expect(told.slice(before).filter((method) => method !== 'console/changed')).toEqual([]);
    await setHidden(console, false);
    const terminal = freshTerminal(SIZE, 1000);
    await written(terminal, agent.output(processId));
    await expect.poll(() => console.screen(key)).toEqual(screenText(terminal));
    await expect(console.row(key)).toContainText(String(lines));
  });
