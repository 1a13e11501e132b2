// A waiting request as it is sent to watchers, with a limited size.
import type { Approval, ChangedVariable } from '../../protocol/approvals.ts';
import { cutTo } from '../../text/cut.ts';
import { shownCommand } from '../keeper/shown-command.ts';
import type { Question } from './waiting.ts';

/** Maximum number of environment variables that are shown; `console/approvals` with an id returns all. */
export const MOST_SHOWN_VARIABLES = 50;

/** Returns the first variables, and the number of the others. */
export const shownVariables = (
  all: readonly ChangedVariable[],
): Pick<Approval, 'variables' | 'moreVariables'> => ({
  variables: all.slice(0, MOST_SHOWN_VARIABLES),
  moreVariables: Math.max(0, all.length - MOST_SHOWN_VARIABLES),
});

/**
 * Returns the request as shown. If command and variables together have more than `chars` characters as JSON, each of
 * the two is shortened to about `chars`, and `parts` is empty.
 */
export function shownQuestion(question: Question, chars: number): Question & Pick<Approval, 'isWhole'> {
  const { argv, variables, moreVariables } = question;
  const isShort = JSON.stringify([argv, variables]).length <= chars;
  if (isShort) return { ...question, isWhole: moreVariables === 0 };
  const charsOfEach = Math.floor(chars / MOST_SHOWN_VARIABLES / 2);
  const short = variables.map(({ name, value }) => ({
    name: cutTo(name, charsOfEach),
    value: value && cutTo(value, charsOfEach),
  }));
  return { ...question, argv: shownCommand(argv, chars), parts: [], variables: short, isWhole: false };
}
