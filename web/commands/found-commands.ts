// Commands that step through the lines found by a search.
import { foundLines, leaveFoundLines, showAllFound } from '../state/processes/found-lines.ts';
import { stepFound } from '../parts/show-found.ts';
import { onPage, type Command } from './command.ts';

const hasFound = (): boolean => foundLines.getState().found !== null;

export const FOUND_COMMANDS: readonly Command[] = [
  {
    id: 'nextFound',
    title: 'Next search result',
    words: 'hit line found step forward',
    group: 'Panes',
    keys: [onPage('F4')],
    repeats: true,
    when: hasFound,
    run: (parts) => void stepFound(parts, 1),
  },
  {
    id: 'previousFound',
    title: 'Previous search result',
    words: 'hit line found step back',
    group: 'Panes',
    keys: [onPage('Shift+F4')],
    repeats: true,
    when: hasFound,
    run: (parts) => void stepFound(parts, -1),
  },
  {
    id: 'allFound',
    title: 'Show all search results',
    words: 'hits lines found list back',
    group: 'Panes',
    when: hasFound,
    run: showAllFound,
  },
  {
    id: 'leaveFound',
    title: 'Close search results',
    words: 'hits lines found end',
    group: 'Panes',
    when: hasFound,
    run: leaveFoundLines,
  },
];
