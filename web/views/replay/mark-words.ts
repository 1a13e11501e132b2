// Words for the marks of a recording.
import type { RecordingMark } from '../../../protocol/replay.ts';
import { actText, byText } from '../../../text/act-text.ts';
import { capitalized } from '../../../text/capitalized.ts';
import { missingText } from '../../../text/missing-output.ts';
import { numberText } from '../../../text/amounts.ts';

export function markText(mark: RecordingMark): string {
  const times = mark.count > 1 ? ` (${numberText(mark.count)} times)` : '';
  switch (mark.kind) {
    case 'input':
      return `Input${byText(mark.who)}`;
    case 'act': {
      const text = actText(mark);
      return capitalized(text);
    }
    case 'resize':
      return `Resized to ${mark.cols}×${mark.rows}`;
    case 'bell':
      return `Bell${times}`;
    case 'prompt':
      return `Prompt${times}`;
    case 'error':
      return mark.exitCode === null ? 'Output on stderr' : `Command failed: exit ${mark.exitCode}${times}`;
    case 'exit':
      return `Exit ${mark.exitCode}`;
    case 'gap':
      return missingText(mark.bytes);
  }
}

/** Returns the tone of a mark, which determines its colour. */
export function markTone(mark: RecordingMark): 'bad' | 'warn' | 'person' | 'plain' {
  if (mark.kind === 'error' || (mark.kind === 'exit' && mark.exitCode !== 0)) return 'bad';
  if (mark.kind === 'bell' || mark.kind === 'gap') return 'warn';
  return mark.kind === 'input' || mark.kind === 'act' ? 'person' : 'plain';
}
