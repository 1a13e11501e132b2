// A terminal's buffer as text: wrapped lines joined, blanks at the ends left out.
import type { IBuffer } from '@xterm/xterm';

export function bufferText(buffer: IBuffer): string {
  const lines: string[] = [];
  for (let y = 0; y < buffer.length; y += 1) {
    const line = buffer.getLine(y);
    if (!line) continue;
    const continues = buffer.getLine(y + 1)?.isWrapped ?? false;
    const text = line.translateToString(!continues);
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
