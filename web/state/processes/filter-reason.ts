// Explains why the filter finds nothing: names the word that excludes everything, if a single word does.
import { numberText } from '../../../text/amounts.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { visible } from '../../../text/visible.ts';
import { STATUSES } from './filter-suggestions.ts';
import { filterWords, parseFilter, PLACES, type Origin } from './process-filter.ts';
import { unknownField } from './unknown-field.ts';

export interface Reason {
  readonly text: string;
  /** The filter that was probably intended; null when none can be guessed. */
  readonly meant: string | null;
}

/** Returns the reason; `processes` are all processes in the list, none of which matches the filter. */
export function whyNone(
  filter: string,
  processes: readonly ProcessInfo[],
  originOf: (info: ProcessInfo) => Origin,
): Reason {
  const finds = (text: string): boolean => {
    const matches = parseFilter(text);
    return processes.some((info) => matches(info, originOf(info)));
  };
  const words = filterWords(filter).filter(({ value }) => value !== '');
  const culprit = words.find(
    ({ text, place, isWithout }) => (place !== 'status' || isWithout) && !finds(text),
  );
  const statuses = words.filter(({ place, isWithout }) => place === 'status' && !isWithout);
  const status = statuses.map(({ text }) => text).join(' ');
  const all = processes.length === 1 ? 'the only process' : `all ${numberText(processes.length)} processes`;
  const unknown = culprit && unknownField(culprit);
  if (unknown) {
    const { name, meant } = unknown;
    return {
      text: `There is no field “${name}”, and no process contains ${quoted(culprit.text)}. Fields are ${PLACES.join(', ')}.`,
      meant:
        meant &&
        filterWords(filter)
          .map(({ text }) => (text === culprit.text ? meant : text))
          .join(' '),
    };
  }
  return { text: reasonText(), meant: culprit ? excluding(culprit.text) : null };

  /**
   * Returns the filter with `!word` in place of `-word`, which counts as text because command options start
   * with a dash; null when the word has another form or the new filter finds nothing.
   */
  function excluding(text: string): string | null {
    const meant = /^-(?!-)\S+$/.test(text) ? `!${text.slice(1)}` : null;
    const whole = filterWords(filter)
      .map((word) => (word.text === text ? meant : word.text))
      .join(' ');
    return meant !== null && finds(whole) ? whole : null;
  }

  function reasonText(): string {
    if (culprit?.isWithout === true) return `${quoted(culprit.text)} excludes ${all}.`;
    if (culprit) return `No process matches ${quoted(culprit.text)}.`;
    const noStatus = statuses.find(({ value }) => !isStatus(value));
    if (noStatus && !finds(noStatus.text))
      return `There is no status ${quoted(noStatus.value)}. Statuses are ${STATUSES.join(', ')}.`;
    if (status !== '' && !finds(status)) return `No process matches ${quoted(status)}.`;
    return `No process matches all of ${quoted(filter.trim())}.`;
  }
}

const isStatus = (value: string): boolean =>
  [...STATUSES, 'done'].some((each) => each.startsWith(value.toLowerCase()));

/** Puts the text in quotes, unless it is one quoted word already, such as `"a b"` or `!"a b"`. */
const quoted = (text: string): string => (/^[!-]?"[^"]*"$/.test(text) ? visible(text) : `“${visible(text)}”`);
