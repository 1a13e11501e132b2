// Lint for replaced wordings in the documents, the programs' texts, the comments and the names of tests.
import { describe, expect, it } from 'vitest';
import {
  commentIn,
  DOCUMENTS,
  EVERY_SOURCE,
  everyFile,
  isString,
  linesOf,
  SOURCES,
  testNames,
  type Line,
} from './source-lines.ts';

type Place = 'documents' | 'command line' | 'gateway' | 'page' | 'scripts' | 'comments' | 'test names';
const EVERYWHERE: readonly Place[] = [
  'documents',
  'command line',
  'gateway',
  'page',
  'scripts',
  'comments',
  'test names',
];
/**
 * All places except comments and test names, for wordings that have a technical meaning in those two, such as record.
 */
const NOT_COMMENTS: readonly Place[] = ['documents', 'command line', 'gateway', 'page', 'scripts'];
/** Places with texts of the programs, such as errors, help and log lines. */
const TEXTS: readonly Place[] = ['command line', 'gateway', 'page', 'scripts'];

/** Replaced wordings: pattern, replacement, and the places where the wording is forbidden. */
const REPLACED: readonly (readonly [wording: RegExp, better: string, places: readonly Place[]])[] = [
  [/\bNeeds you\b/, 'Needs attention', EVERYWHERE],
  [/\w’\w/, 'the straight apostrophe', ['command line', 'gateway']],
  [/\b\d+ waits\b/, '3 waiting', EVERYWHERE],
  [/\bin all ·|· above\b/, '2 total (shown above)', EVERYWHERE],
  [/\bwaits for input\b/, 'waiting for input', EVERYWHERE],
  [/\bquiet \d+ ?[ms]/, 'idle 8m 15s', EVERYWHERE],
  [/(?<![\w.:])\d+ (?:h \d+ m|m \d+ s)\b/, '5m 04s', EVERYWHERE],
  [/\bworking directory .{1,40}: not found\b/, 'Folder /nope/dir does not exist', EVERYWHERE],
  [
    /(?:\b(?:bytes|[kMGT]?B|lines(?: are)?)|[})]) not (?:shown|kept)\b/,
    '1.0 GB skipped, or evicted',
    EVERYWHERE,
  ],
  [/\btells all keys\b/, 'shows all shortcuts', EVERYWHERE],
  [/\bNothing runs yet\b|\bRun something yourself\b/, 'Nothing is running yet', EVERYWHERE],
  [/\blets nobody in without proof\b/, 'you need a sign-in link', EVERYWHERE],
  [/\bThat link did not work\b/, 'This link has expired or was already used', EVERYWHERE],
  [/\bevery key is the program['’]s\b/, 'Keys go to the program', EVERYWHERE],
  [/\bTake the question back\b/, 'Cancel confirmation', EVERYWHERE],
  [/\bSelect nothing\b|\bSelect up to the row before\b/, 'Clear selection', EVERYWHERE],
  [
    /\bWall: everything that runs\b|\bTiles so small that all fit\b/,
    'Wall: all running processes',
    EVERYWHERE,
  ],
  [/\bStart one like it\b/, 'Duplicate and edit', EVERYWHERE],
  [/\bStart it again\b|\bStart again\b|\bEnd it, then start it again\b/, 'Restart', EVERYWHERE],
  [/\bTimes in the log, or none\b|\bWrap long lines in the log, or not\b/, 'Show timestamps', EVERYWHERE],
  [/\bMark here, between lines\b/, 'Insert marker', EVERYWHERE],
  [/\bClear what this pane shows\b/, 'Clear view (output is kept)', EVERYWHERE],
  [/\bRecord: who did what\b|\bRecord of this process\b/, 'Audit log', EVERYWHERE],
  [/\bAccess: who may come in\b|\bmay come in\b/, 'Access and tokens', EVERYWHERE],
  [/\bcame in\b|\blooked at it\b/, 'connected, viewed', EVERYWHERE],
  [/\bA share is a link by which\b/, 'A share link gives read-only access until it expires', EVERYWHERE],
  [/\bThey learn of no other process\b/, "They can't see other processes or people", EVERYWHERE],
  [/\bMake it\b|\bMake a link\b/, 'Create link', EVERYWHERE],
  [
    /\bLeft its session, and lives on\b|\bEnd these too\b/,
    'Still running outside the OS session',
    EVERYWHERE,
  ],
  [/\ball of it ended\b|\bended, but for\b/, 'everything ended', EVERYWHERE],
  [/(?<!pipe still )\boutput still open\b/, 'output pipe still open', EVERYWHERE],
  [/\bYou may watch here, not type\b/, "Read-only: you can't type here", EVERYWHERE],
  [/\bits sandbox denied it something\b/, 'Probably blocked by its sandbox', EVERYWHERE],
  [/\bwhatever the gateway['’]s user may\b/, "full access as the gateway's user", EVERYWHERE],
  [/\bout of sight\b/, 'in the background', EVERYWHERE],
  [/\bA layout is which\b/, 'A layout remembers your open panes', EVERYWHERE],
  [/\bsomebody who is nobody\b/, 'before authentication', EVERYWHERE],
  [/\bwhoever has fallen behind\b|\bis put out\b/, 'is disconnected', EVERYWHERE],
  [
    /\b(process|socket|page|gateway|program|terminal|command|connection|client|reader|cursor), whom?\b/,
    'which',
    EVERYWHERE,
  ],
  [/\bof whom(ever)?\b|\bby whom\b|\bWhom\b/, 'name the person or the thing', EVERYWHERE],
  [/\bto whom\b|\bfor whom\b/, 'name the person or the thing', NOT_COMMENTS],
  [/\bnobody['’]s business\b/, 'name the reason', EVERYWHERE],
  [
    /\bsaid again\b|\bis said when\b|\bis told (once|at once|of at most)\b/,
    'reported, sent, notified',
    EVERYWHERE,
  ],
  [
    /\b[Dd]elet\w+ (?:the |this |a )?recordings?\b|\brecordings? (?:was|were|is|are) deleted\b/,
    'remove',
    EVERYWHERE,
  ],
  [/\bthe record\b/, 'the audit log', NOT_COMMENTS],
  [/\bnot kept any ?more\b|\bis gone, or\b/, 'no longer retained', NOT_COMMENTS],
  [/\b(?:lives|living) on\b|\bLoad it again\b|\bruns on\)/, 'still running; Reload page', NOT_COMMENTS],
  [/\bto (?:see and )?steer\b|\bis no (?:object|list|file|certificate)\b/, 'control; is not a', NOT_COMMENTS],
  [/\bgiven up\b|\bgives up by itself\b/, 'abandoned, closed', EVERYWHERE],
  [/\bleaving a gap here\b/, 'missing here', TEXTS],
  [/\btrimmed\b/, 'evicted', ['documents', 'command line', 'page', 'comments']],
  [/\bon its way\b|\bon their way\b/, 'in flight', EVERYWHERE],
  [/\b(?:is|are|was|were|be) (?:then |ever |not |first )?told\b|, told\b/, 'sent, reported', ['documents']],
  [/\btellings?\b|\bunless (?:said|told)\b/, 'report, default', EVERYWHERE],
  [/\b[Ww]hoever\b/, 'name the person or the thing', NOT_COMMENTS],
  [/\b[Aa]s in life\b|\bcame of it\b|\bis believed\b|\bworth nothing\b/, 'say it literally', EVERYWHERE],
  [
    /\blooks? by it\b|\bsomebody does\b|\bnobody looks\b|\b(?:first|last|each) look\b|\blooks again\b/,
    'checks, views',
    EVERYWHERE,
  ],
  [/\b(?:waits? for|asks?) nobody\b|\btakes no output\b|\bat its time\b/, 'does not wait', NOT_COMMENTS],
  [/\b(?:goes|gives way) *\|/, 'is evicted, is deleted', ['documents']],
  [/\b(?:not |is |are )known here\b/, 'unknown', EVERYWHERE],
  [/\blies? (?:among|below|beyond)\b/, 'is', TEXTS],
  [/\bsays so\b|\b(?:policy|rule) says\b/, 'name what is reported; the policy requires it', EVERYWHERE],
  [
    /\bis no (?:answer|HTTP|path|plain|policy|regular|whole)\b|\bis of (?:the role|another)\b/,
    'is not a; has',
    TEXTS,
  ],
  [/\b[Nn]obody can (?:say|tell)\b|\bfound out\b/, 'it cannot be determined', TEXTS],
  [
    /\blook(?:ed)? at (?:what|while|\()|\bwhile it was looked\b|\bcannot be looked\b/,
    'checked, measured',
    TEXTS,
  ],
  [
    /\bwhat (?:was answered|the former)\b|\bthe former (?:one|program)\b/,
    'the reply; the previous program',
    TEXTS,
  ],
  [/\bruns on(?:[,;:.]| and| without)|\bgoes on with\b|\bis at work\b/, 'keeps running, continues', TEXTS],
  [/\b(?:Only|only|at most) so many\b/, 'only this many', EVERYWHERE],
  [/\b[Nn]othing found\b/, 'No results', ['page']],
  [/\bin lists in lists\b|\bin commands in commands in\b/, 'nested too deeply', TEXTS],
  [/, and \$\{[^}]*\} is the limit\b/, 'but the limit is', TEXTS],
  [
    /(?<!\b(?:all|any|both|each|first|half|many|more|most|none|one|oldest|part|px|some|third|two)) of which\b/,
    'some of which; whose',
    EVERYWHERE,
  ],
  [/\bruns? on (?:for|until|without)\b|\b(?:has|have|had) gone on\b/, 'keeps running, continued', EVERYWHERE],
  [/\baudit hears?\b|\bis no (?:dependency|progress)\b/, 'is audited; is not a', EVERYWHERE],
  [/\b(?:a|about|for|these?) so (?:many|much)\b|\b[Rr]ecords so many\b/, 'this many, this much', EVERYWHERE],
  [/\bbehind (?:the|an?) (?:block|line feed|option|redirection|value)\b/, 'after', EVERYWHERE],
  [/\b(?:intent|request|sandbox) (?:that |which )?cannot be kept\b/, 'cannot be enforced', EVERYWHERE],
  [/\brecognis/i, 'recognize, recognized', EVERYWHERE],
  [/\d[ \u00a0]%/, '3%', ['documents']],
  [
    /(?<![\w.,:/-])[1-9]\d{3,} (?:bytes|characters|entries|finished|folders|lines|links|places|rows|writes)\b(?!:)/,
    '1,024 writes',
    ['documents'],
  ],
  [/\bsecrets?\b.{0,60}\bcover(?:s|ed|ing)?\b|\bcover(?:s|ed|ing)?\b.{0,60}\bsecret/i, 'masked', EVERYWHERE],
];

const LINES: Readonly<Record<Place, readonly Line[]>> = {
  documents: DOCUMENTS,
  'command line': SOURCES.filter((line) => line.at.startsWith('server/cli/') && isString(line)),
  gateway: SOURCES.filter(
    (line) => /^(?:server\/(?!cli\/)|client|protocol|text)/.test(line.at) && isString(line),
  ),
  page: [
    ...SOURCES.filter((line) => line.at.startsWith('web/') && isString(line)),
    ...everyFile(/\.html$/).flatMap(linesOf),
  ],
  scripts: EVERY_SOURCE.filter(
    (line) => /^scripts\/.*\.mjs:/.test(line.at) && !line.at.includes('.test.') && isString(line),
  ),
  comments: EVERY_SOURCE.flatMap(commentIn),
  'test names': everyFile(/\.(?:test|spec)\.(?:tsx?|mjs)$/).flatMap((path) => testNames(linesOf(path))),
};

interface Wrapped extends Line {
  /** This line, joined with the next one if that directly follows it in the file. */
  readonly both: string;
}

const MARKER = /^\s*(?:\/\/|\/?\*+)? */;

/**
 * Joins each line with the next one if that directly follows it in the file, since a wording may be wrapped over both.
 */
function wrapped(lines: readonly Line[]): Wrapped[] {
  return lines.map((line, index) => {
    const next = lines[index + 1];
    const [, file = '', row = 0] = /^(.*):(\d+)$/.exec(line.at) ?? [];
    const isNext = next?.at === `${file}:${Number(row) + 1}` && next.text.trim() !== '';
    const end = isNext ? ` ${next.text.replace(MARKER, '')}` : '';
    return { ...line, both: `${line.text.trimEnd()}${end}` };
  });
}

const WRAPPED = new Map(EVERYWHERE.map((place) => [place, wrapped(LINES[place])]));

/** Returns the lines in which a wording begins, as `file:line: text`. */
const uses = (wording: RegExp, lines: readonly Wrapped[]): string[] =>
  lines
    .filter(({ text, both }) => {
      const found = wording.exec(both);
      return found !== null && found.index < text.trimEnd().length;
    })
    .map(({ at, text }) => `${at}: ${text.trim()}`);

describe.each(EVERYWHERE)('The %s', (place) => {
  it('include enough lines to check', () => {
    expect(LINES[place].length).toBeGreaterThan(100);
  });

  it.each(REPLACED.filter(([, , places]) => places.includes(place)))(
    'do not contain %s (better: %s)',
    (wording) => {
      expect(uses(wording, WRAPPED.get(place) ?? [])).toEqual([]);
    },
  );
});

it('a replaced wording is reported with its file and line', () => {
  const lines = [{ at: 'docs/x.md:3', text: '  It is a terminal that waits for input.' }];
  expect(uses(/\bwaits for input\b/, wrapped(lines))).toEqual([
    'docs/x.md:3: It is a terminal that waits for input.',
  ]);
  const [skipped] = REPLACED.find(([, better]) => better.includes('skipped')) ?? [];
  for (const text of ['`${bytesText(bytes)} not shown`', '{bytesText(bytes)} not kept', "'2.0 kB not shown'"])
    expect(uses(skipped ?? /$./, wrapped([{ at: 'x.ts:1', text }]))).toHaveLength(1);
});

it.each(['Start again', 'Needs you', 'Make it', 'Select nothing', '3 waits'])(
  'a line with only "%s" between tags is text of the page, and not of a module',
  (text) => {
    expect(isString({ at: 'web/x.tsx:1', text: `    ${text}` })).toBe(true);
    expect(isString({ at: 'server/x.ts:1', text: `    ${text}` })).toBe(false);
    expect(REPLACED.some(([wording]) => wording.test(text))).toBe(true);
  },
);

it.each(['It has run for 5 m 04 s.', 'Lasted 2 h 30 m', 'the working directory /nope/dir: not found'])(
  'the wording "%s" is a replaced one',
  (text) => {
    expect(REPLACED.some(([wording]) => wording.test(text))).toBe(true);
  },
);

it('a replaced wording is found in a trailing comment, in a test name, and wrapped over two lines', () => {
  const wording = /\bwaits for input\b/;
  const at = 'x.ts:1';
  const code = ['run();', '// It waits for input.'].join(' ');
  expect(uses(wording, wrapped(commentIn({ at, text: code })))).toHaveLength(1);
  expect(commentIn({ at, text: "get('http://x'); // Fast." })).toEqual([{ at, text: '// Fast.' }]);
  expect(commentIn({ at, text: "get('http://x // no');" })).toEqual([]);
  const names = testNames([
    { at, text: "  it('waits for input', () => {" },
    { at: 'x.ts:2', text: '  it.each(' },
    { at: 'x.ts:3', text: "    run('waits for input');" },
    { at: 'x.ts:4', text: '  it(' },
    { at: 'x.ts:5', text: "    'a program that waits for input'," },
  ]);
  expect(uses(wording, wrapped(names)).map((use) => use.slice(0, 6))).toEqual([at, 'x.ts:5']);
  const comment = [
    { at, text: '// It waits for' },
    { at: 'x.ts:2', text: '// input.' },
  ];
  expect(uses(wording, wrapped(comment))).toEqual(['x.ts:1: // It waits for']);
});
