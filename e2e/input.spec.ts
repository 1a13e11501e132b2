// Input by a person: pastes with a preview, input methods, and touch.
import { expect, test, type ConsolePage } from './fixtures.ts';

const READER = ['/bin/sh', '-c', 'echo ready; exec cat'];

/** Copies the text to the clipboard, and pastes it with these keys. */
async function paste(console: ConsolePage, text: string, keys = 'Control+Shift+v'): Promise<void> {
  await console.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await console.page.keyboard.press(keys);
}

test('a paste and composed text arrive once, exactly as shown', async ({ agent, console }) => {
  await test.step('a paste of several lines is shown first, can be edited, and runs nothing by itself', async () => {
    const { key, processId } = await agent.start(READER, { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    await pane.locator('.xterm-screen').click();
    await paste(console, 'first\nsecond\u001b[31m\n');
    const dialog = console.page.getByRole('dialog', { name: 'Paste these 2 lines?' });
    const field = dialog.getByRole('textbox', { name: 'Text to paste' });
    await expect(field).toHaveValue('first\nsecond[31m\n');
    await expect(field).toBeFocused();
    await console.page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await paste(console, 'third\nfourth\n', 'Shift+Insert');
    await console.page.getByRole('dialog').getByRole('textbox').fill('third\nchanged\n');
    await console.page.keyboard.press('Control+Enter');
    await console.shows(key, /third[^]*changed[^]*changed/);
    // The cancelled paste did not arrive; a single line is sent without a preview.
    await paste(console, 'alone');
    await console.page.keyboard.press('Enter');
    await agent.waitOutput(processId, 'alone\r\nalone');
    expect(agent.output(processId).toString()).not.toContain('first');
    await paste(console, 'a\nb');
    await console.page.getByRole('button', { name: 'Paste as one line' }).click();
    await console.page.keyboard.press('Enter');
    await agent.waitOutput(processId, 'a b\r\na b');
  });
  await test.step('an input method writes its composed text once', async () => {
    const { key, processId } = await agent.start(READER, { tty: true });
    const pane = await console.open(key);
    await console.shows(key, 'ready');
    await pane.locator('.xterm-screen').click();
    const keyboard = await console.page.context().newCDPSession(console.page);
    for (const text of ['n', 'ni', 'nih', 'niha', 'nihao']) {
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
    await keyboard.send('Input.insertText', { text: '你好' });
    // xterm.js reads composed text in a timer, so the next key must not be pressed before that.
    await agent.waitOutput(processId, '你好');
    await console.page.keyboard.press('Enter');
    await agent.waitOutput(processId, '你好\r\n你好');
    expect(agent.output(processId).toString()).not.toContain('ni');
  });
  await test.step('a paste of several lines into a pipe is shown first, and arrives as lines', async () => {
    const { key, processId } = await agent.start(['/bin/cat'], { pipeStdin: true });
    const pane = await console.open(key);
    await pane.getByRole('textbox', { name: 'Send a line to stdin' }).focus();
    await paste(console, 'one\ntwo\n', 'Control+v');
    await console.page.getByRole('button', { name: 'Paste', exact: true }).click();
    await agent.waitOutput(processId, 'one\ntwo\n');
  });
  await test.step('a program with bracketed paste receives a paste in one piece, and no end marker from its text', async () => {
    const key = await console.start(`printf '\\033[?2004h'; echo ready; cat -v`);
    await console.shows(key, 'ready');
    await paste(console, 'one\ntwo\u001b[201~');
    await console.page.keyboard.press('Enter');
    await console.shows(key, '^[[200~one');
    await console.shows(key, 'two[201~^[[201~');
    await expect(console.page.getByRole('dialog')).toBeHidden();
  });
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('keys that a phone lacks and composed lines reach the program', async ({ agent, console }) => {
    await test.step("the key row has keys that a phone's keyboard lacks, and Ctrl applies to one key", async () => {
      const script = 'stty -icanon -echo -isig; echo ready; exec cat -v';
      const { key } = await agent.start(['/bin/sh', '-c', script], { tty: true });
      await console.row(key).tap();
      await console.shows(key, 'ready');
      const keys = console.pane(key).getByRole('toolbar', { name: 'Keys' });
      for (const name of ['Escape', 'Up', 'Left', 'Control C'])
        await keys.getByRole('button', { name }).tap();
      await console.shows(key, '^[^[[A^[[D^C');
      const ctrl = keys.getByRole('button', { name: 'Hold Ctrl for the next key' });
      await console.pane(key).locator('.xterm-screen').tap();
      await ctrl.tap();
      await expect(ctrl).toHaveAttribute('aria-pressed', 'true');
      await console.page.keyboard.type('xy');
      await console.shows(key, '^Xy');
      await expect(ctrl).toHaveAttribute('aria-pressed', 'false');
    });
    await test.step('a line is composed before it is sent, in one write', async () => {
      const script = String.raw`stty -icanon -echo; echo ready; dd bs=4096 count=1 2>/dev/null | cat -v; echo; exec cat`;
      const { key } = await agent.start(['/bin/sh', '-c', script], { tty: true });
      await console.page.getByRole('button', { name: 'Back to the list' }).tap();
      await console.row(key).tap();
      await console.shows(key, 'ready');
      const pane = console.pane(key);
      await pane.getByRole('button', { name: 'Send a line', exact: true }).tap();
      await pane.getByRole('textbox', { name: 'Send a line' }).fill('fix the tests');
      await pane.getByRole('button', { name: 'Send', exact: true }).tap();
      // The program prints a newline after its first read, so text that arrived in two parts would be split.
      await console.shows(key, /fix the tests/);
      await expect(pane.getByRole('textbox', { name: 'Send a line' })).toHaveValue('');
    });
    await test.step('Enter sends the line, Shift+Enter adds one, and the box shows which line ending is sent', async () => {
      const script = 'stty -icanon -echo -icrnl; echo ready; exec cat -v';
      const { key } = await agent.start(['/bin/sh', '-c', script], { tty: true });
      await console.page.getByRole('button', { name: 'Back to the list' }).tap();
      await console.row(key).tap();
      await console.shows(key, 'ready');
      const pane = console.pane(key);
      await pane.getByRole('button', { name: 'Send a line', exact: true }).tap();
      const line = pane.getByRole('textbox', { name: 'Send a line' });
      await expect(line).toHaveAttribute('enterkeyhint', 'send');
      await line.fill('one');
      await line.press('Enter');
      await console.shows(key, 'one^M');
      await expect(line).toHaveValue('');
      await line.fill('two');
      await line.press('Shift+Enter');
      await expect(line).toHaveValue('two\n');
      await pane.getByRole('checkbox', { name: 'End with Enter' }).uncheck();
      await line.fill('three');
      await line.press('Enter');
      await console.shows(key, /one\^Mthree\n*$/);
    });
  });
});
