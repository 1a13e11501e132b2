// Formats log lines as JSON; loaded only for that format.
import { pino } from 'pino';
import { visibleJson } from '../../text/visible.ts';
import type { Line } from './log.ts';

export function jsonForm(): (...line: Line) => string {
  let text = '';
  const logger = pino(
    {
      level: 'debug',
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line) => (text = line) },
  );
  return (level, sentence, keys) => {
    logger[level](keys, sentence);
    return `${visibleJson(text.trimEnd())}\n`;
  };
}
