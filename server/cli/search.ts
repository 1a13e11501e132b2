// exec-console search: finds lines in recordings, the newest line first.
import type { HistoryHit, HistorySearchResult } from '../../protocol/history.ts';
import type { Requests } from '../../protocol/methods.ts';
import { bytesText } from '../../text/amounts.ts';
import { errorText } from '../../text/error-text.ts';
import { expressionOf } from '../../text/line-query.ts';
import { visible } from '../../text/visible.ts';
import type { Arguments } from './arguments.ts';
import { retryAfterLoss, withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { HISTORY_FLAGS, queryOf } from './history.ts';
import { printNote } from './notes.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

export const search: Subcommand = {
  usage: 'search [flags] TEXT',
  summary: 'Search the recorded output of all processes',
  help: `Searches all recordings, the newest lines first, and prints each line that contains TEXT as soon as it is found. Control
sequences are ignored. Observers cannot find masked secrets. Line numbers after missing output are counted from there,
and begin with +.`,
  flags: {
    ...HISTORY_FLAGS,
    regex: { type: 'boolean', about: 'Treat TEXT as a regular expression' },
    'case-sensitive': { type: 'boolean', about: 'Match case' },
    limit: { type: 'string', value: 'N', about: 'Stop after this many lines (default: all)' },
    json: {
      type: 'boolean',
      about:
        'Print one line of JSON per hit: {key, line, isAfterGap?, text, atMs}, then {done, searchedBytes, unreadableBytes, totalBytes}',
    },
  },
  examples: ['search ECONNREFUSED', 'search --since 1d --failed --regex "error[:[]"'],
  exitCodes: [['141', 'The reader of stdout has closed it (broken pipe)']],
  words: 1,
  async execute(args, env) {
    const limit = limitIn(args.text('limit'));
    const query = {
      ...queryOf(args),
      query: textIn(args),
      ...(args.has('regex') && { regex: true }),
      ...(args.has('case-sensitive') && { caseSensitive: true }),
    };
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { connection } = gateway.client;
      const show = args.has('json') ? asJson : asText;
      let before: string | null = null;
      let [searchedBytes, unreadableBytes, totalBytes, hits] = [0, 0, 0, 0];
      let isComplete = true;
      do {
        const params: Requests['console/historySearch']['params'] = {
          ...query,
          ...(before !== null && { before }),
        };
        const page: HistorySearchResult = await retryAfterLoss(gateway, () =>
          connection.request('console/historySearch', params),
        );
        for (const hit of page.hits.slice(0, limit - hits)) {
          if (!(await show(hit))) return ExitCode.brokenPipe;
        }
        hits += page.hits.length;
        searchedBytes += page.searchedBytes;
        unreadableBytes += page.unreadableBytes;
        isComplete &&= page.isComplete ?? true;
        ({ before, totalBytes } = page);
      } while (before !== null && hits < limit);
      const isDone = before === null && hits <= limit && isComplete;
      if (args.has('json')) await printJson({ done: isDone, searchedBytes, unreadableBytes, totalBytes });
      else {
        const found = Math.min(hits, limit);
        printNote(
          `${found} ${found === 1 ? 'line' : 'lines'} found in ${bytesText(searchedBytes)} of recordings${isComplete ? '' : '; some recordings could not be read'}`,
        );
      }
      return ExitCode.ok;
    });
  },
};

/** Returns TEXT; throws UsageError when `--regex` is set and TEXT is not a valid regular expression. */
function textIn(args: Arguments): string {
  const [text = ''] = args.words;
  if (!args.has('regex')) return text;
  try {
    expressionOf({ text, isRegex: true, isCaseSensitive: args.has('case-sensitive') });
    return text;
  } catch (error) {
    throw new UsageError(`${errorText(error)}; correct it, or omit --regex to search for the text itself`);
  }
}

function limitIn(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit ${text}: expected a whole number above 0`);
  return Number(text);
}

const asJson = ({ key, line, isAfterGap, text, atMs }: HistoryHit): Promise<boolean> =>
  printJson({ key, line, ...(isAfterGap && { isAfterGap }), text, atMs });

const asText = ({ key, line, isAfterGap, text }: HistoryHit): Promise<boolean> =>
  print(`${key}:${isAfterGap ? '+' : ''}${line}: ${visible(text)}`);
