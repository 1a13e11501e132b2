// Lint for replaced wordings in the documents, the programs' texts and the comments, and for words in names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

type Place = 'documents' | 'command line' | 'gateway' | 'page' | 'comments';
const EVERYWHERE: readonly Place[] = ['documents', 'command line', 'gateway', 'page', 'comments'];
/** Places of wordings that are fine in comments, since code has records and callbacks. */
const NOT_COMMENTS: readonly Place[] = ['documents', 'command line', 'gateway', 'page'];
/** Places with texts of the programs, such as errors, help and log lines. */
const TEXTS: readonly Place[] = ['command line', 'gateway', 'page'];

/** Replaced wordings: pattern, replacement, and the places where it is forbidden. */
const REPLACED: readonly (readonly [wording: RegExp, better: string, places: readonly Place[]])[] = [
  [/\bNeeds you\b/, 'Needs attention', EVERYWHERE],
  [/\b\d+ waits\b/, '3 waiting', EVERYWHERE],
  [/\bin all ·|· above\b/, '2 total (shown above)', EVERYWHERE],
  [/\bwaits for input\b/, 'waiting for input', EVERYWHERE],
  [/\bquiet \d+ ?[ms]/, 'idle 8m 15s', EVERYWHERE],
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
  [/\bLeft its session, and lives on\b|\bEnd these too\b/, 'Still running outside the session', EVERYWHERE],
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
  [/\bthe record\b/, 'the audit log', NOT_COMMENTS],
  [/\bnot kept any ?more\b|\bis gone, or\b/, 'no longer retained', NOT_COMMENTS],
  [/\b(?:lives|living) on\b|\bLoad it again\b|\bruns on\)/, 'still running; Reload page', NOT_COMMENTS],
  [/\bto (?:see and )?steer\b|\bis no (?:object|list|file|certificate)\b/, 'control; is not a', NOT_COMMENTS],
  [/\bgiven up\b|\bgives up by itself\b/, 'abandoned, closed', EVERYWHERE],
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
  [/\bsecrets?\b.{0,60}\bcover(?:s|ed|ing)?\b|\bcover(?:s|ed|ing)?\b.{0,60}\bsecret/i, 'masked', EVERYWHERE],
];

interface Line {
  readonly at: string;
  readonly text: string;
}

const PRODUCT = ['protocol', 'text', 'client', 'server', 'web', 'tools', 'bench'];

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => pattern.test(path) && !/\.test\.|\/testing\//.test(path));

/** Returns the files of all folders with code or documents, tests and testing folders included. */
function everyFile(pattern: RegExp): string[] {
  return [...PRODUCT, 'e2e', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => pattern.test(path)),
  );
}

function linesOf(path: string): Line[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.map((text, at) => ({ at: `${path}:${at + 1}`, text }));
}

const isComment = ({ text }: Line): boolean => /^\s*(\/\/|\/?\*)/.test(text);
/** Returns true for lines with string literals or text between tags. */
const isString = (line: Line): boolean => !isComment(line) && /['"`>}]|^\s+[A-Za-z]+ [a-z]+ /.test(line.text);

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'server/SPEC.md',
  ...filesIn('docs', /\.md$/),
].flatMap(linesOf);
const SOURCES = PRODUCT.flatMap((folder) => filesIn(folder, /\.tsx?$/).flatMap(linesOf));

/** Lines of all sources, including tests, scripts and styles; a docstring's first line is joined with its opening. */
const EVERY_SOURCE = everyFile(/\.(?:tsx?|mjs|css)$/).flatMap((path) => withFirstLines(linesOf(path)));

/** Joins the opening line of multi-line docstrings with their first text line. */
function withFirstLines(lines: readonly Line[]): readonly Line[] {
  return lines.map((line, index) => {
    const next = lines[index + 1];
    if (!next || !/^\s*\/\*\*?\s*$/.test(line.text)) return line;
    return { ...line, text: `${line.text.trimEnd()} ${next.text.replace(/^\s*\* ?/, '')}` };
  });
}

const LINES: Readonly<Record<Place, readonly Line[]>> = {
  documents: DOCUMENTS,
  'command line': SOURCES.filter((line) => line.at.startsWith('server/cli/') && isString(line)),
  gateway: SOURCES.filter(
    (line) => /^(?:server\/(?!cli\/)|client|protocol|text)/.test(line.at) && isString(line),
  ),
  page: SOURCES.filter((line) => line.at.startsWith('web/') && isString(line)),
  comments: EVERY_SOURCE.filter(isComment),
};

/** Returns matching lines as `file:line: text`. */
const hits = (wording: RegExp, lines: readonly Line[]): string[] =>
  lines.filter(({ text }) => wording.test(text)).map(({ at, text }) => `${at}: ${text.trim()}`);

describe.each(EVERYWHERE)('The %s', (place) => {
  it('include enough lines to check', () => {
    expect(LINES[place].length).toBeGreaterThan(100);
  });

  it.each(REPLACED.filter(([, , places]) => places.includes(place)))(
    'do not contain %s (better: %s)',
    (wording) => {
      expect(hits(wording, LINES[place])).toEqual([]);
    },
  );
});

it('a replaced wording is reported with its file and line', () => {
  const lines = [{ at: 'docs/x.md:3', text: '  It is a terminal that waits for input.' }];
  expect(hits(/\bwaits for input\b/, lines)).toEqual(['docs/x.md:3: It is a terminal that waits for input.']);
  const [skipped] = REPLACED.find(([, better]) => better.includes('skipped')) ?? [];
  for (const text of ['`${bytesText(bytes)} not shown`', '{bytesText(bytes)} not kept', "'2.0 kB not shown'"])
    expect(hits(skipped ?? /$./, [{ at: 'x.ts:1', text }])).toHaveLength(1);
});

/** Returns a pattern for comments that begin with these words: on lines of their own, after code, and in JSX. */
const begins = (words: string): RegExp =>
  new RegExp(String.raw`^(?:.*[;,{}()[\]>] +)?\s*(?:\{?\/\*\*?|\/\/) *(?:${words})`);

/** Start of a comment with a bare clause and no noun: "What …", "Whether …", "Of …". */
const BARE_CLAUSE = begins(
  String.raw`(?:What|Whether|Where|Why|How|Who|Whom|Whoever|Whatever|Of|Which|As in)\b`,
);

/** Start of a comment with a bare phrase before its noun: "By then, the shell …", "Like `print`". */
const BARE_PHRASE = begins(
  String.raw`(?:By|Like|As|For|In|At|On|From|With|Without|After|Under|Behind|Beside)\b(?!-)`,
);

/** Start of a comment with a condition, or with a word that refers back: "If it fails, …", "That segment". */
const BARE_POINTER = begins(
  String.raw`(?:(?:That|It|Its|They|Their|Such|Same|Also|Otherwise|If|When|While|Once|Until|Unless|Even|Not|Below|Above|During|Inside|Near|Across)\b|This (?:is|also|uses)\b|(?:True|False|Returns (?:true|false)) (?:when|while|once|until|unless|if) (?:it|they) (?!is (?:un)?known\b))`,
);

/** Start of a comment with a participle or comparative and no noun: "Kept until the reply", "Longer than …". */
const BARE_PARTICIPLE = begins(
  String.raw`(?:(?:Deep|Long|Larg|Small|Short|High|Low|Great)e?r than|(?:Long|Far|Large|Small) enough)\b|(?!Called\b|Thrown\b|Generated by\b|Field\b|Seed\b|Feed\b|Speed\b|Need\b)[A-Z][a-z-]*(?:ed|wn|ept|eld|tten|ilt|Sent|Put)(?:[,:;]| (?:by|from|only|first|so that|when|whenever|until|because|here|outside|beside|over|for|before|after|in|at|on|to|now|once|as|if|since|instead|lazily)\b)`,
);

/** A comment that continues the previous one, or is continued by the next. */
const PART_OF_A_SENTENCE = /^\s*(?:\/\*\*?|\*|\/\/) *…|^\s*(?:\/\*\*?|\*|\/\/).* …(?: \*\/)?$/;

it('no comment begins with a bare clause, including those in tests, scripts and styles', () => {
  expect(EVERY_SOURCE.length).toBeGreaterThan(SOURCES.length);
  const starts = [BARE_CLAUSE, BARE_PHRASE, BARE_POINTER, BARE_PARTICIPLE];
  expect(starts.flatMap((start) => hits(start, EVERY_SOURCE))).toEqual([]);
  expect(hits(BARE_CLAUSE, [{ at: 'x.ts:1', text: '  /** Whether it runs. */' }])).toHaveLength(1);
  const long = withFirstLines([
    { at: 'x.ts:1', text: '  /**' },
    { at: 'x.ts:2', text: '   * What is left of it,' },
  ]);
  expect(hits(BARE_CLAUSE, long)).toHaveLength(1);
  for (const text of ['  /** By folder, the newest first. */', '    // By then, the shell has ended.'])
    expect(hits(BARE_PHRASE, [{ at: 'x.ts:1', text }])).toHaveLength(1);
  for (const text of [
    '  /** That segment; null when it was removed. */',
    '    // If it fails, nothing is left.',
    '  /** True when it is closed. */',
    '      {/* Once it ends, nothing is left. */}',
    ['  run();', '// That is all.'].join(' '),
  ])
    expect(hits(BARE_POINTER, [{ at: 'x.ts:1', text }])).toHaveLength(1);
  for (const text of ['  // Kept until the reply.', '  /** Ignored: the list shows the exit. */'])
    expect(hits(BARE_PARTICIPLE, [{ at: 'x.ts:1', text }])).toHaveLength(1);
});

it('every comment is a complete sentence', () => {
  expect(hits(PART_OF_A_SENTENCE, EVERY_SOURCE)).toEqual([]);
  for (const text of ['  /** … and the last. */', '// The first …'])
    expect(hits(PART_OF_A_SENTENCE, [{ at: 'x.ts:1', text }])).toHaveLength(1);
});

/** A test name that continues its describe block by a relative clause or a preposition. */
const RELATIVE_NAME =
  /^\s*(?:(?:it|test)\b[^'"`]*|\] ?(?:as const)?\)\()['"`](?:\[[^\]]*\] ?)*(?:that|of|whose|which|behind)\b/;

it('no test name begins with a relative clause', () => {
  const tests = everyFile(/\.(?:test|spec)\.tsx?$/).flatMap(linesOf);
  expect(hits(RELATIVE_NAME, tests)).toEqual([]);
  for (const text of ["  it('[SB1] that is empty fails', () => {", "  ])('of %s is %s', (one) => {"])
    expect(hits(RELATIVE_NAME, [{ at: 'x.test.ts:1', text }])).toHaveLength(1);
});

/** A declaration named by a verb of speech, where the glossary has report, send, notify or print. */
const SPOKEN_NAME = /\b(?:const|let|function|readonly) #?(?:told|tells?|said|say)\b/;

/** A constant with a verb of speech as one word of its name, or a listener named by one: `TELL_MS`, `onTold`. */
const SPOKEN_PART =
  /(?<![A-Za-z\d])(?:[A-Z\d]+_)*(?:UN)?(?:TOLD|TELLS?|TELLING|SAID|SAYS?|SAYING)(?:_[A-Z\d]+)*(?![A-Za-z\d])|\bon(?:Told|Said)\b/;

it('no name contains "told" or "said"', () => {
  // These notes are read by later gateways, so the member keeps its name.
  const sources = EVERY_SOURCE.filter(({ at }) => !at.startsWith('server/unified/notes.ts'));
  expect(hits(SPOKEN_NAME, sources)).toEqual([]);
  const spoken = (lines: readonly Line[]): string[] =>
    lines
      .filter((line) => !isComment(line) && SPOKEN_PART.test(codeIn(line)))
      .map(({ at, text }) => `${at}: ${text.trim()}`);
  expect(spoken(sources)).toEqual([]);
  for (const text of ['const MOST_SAID = 1;', 'wait(TELL_MS)', 'run({ UNTOLD_MS })', 'feed.onTold(run)'])
    expect(spoken([{ at: 'x.ts:1', text }])).toHaveLength(1);
  for (const text of ['const ESSAY = 1;', "run('SAY')", 'wait(TELLER_MS)'])
    expect(spoken([{ at: 'x.ts:1', text }])).toEqual([]);
  expect(hits(SPOKEN_NAME, [{ at: 'x.ts:1', text: ['  const', 'told = 1;'].join(' ') }])).toHaveLength(1);
});

/** Names of limits that are documented in docs/limits.md, so they cannot be renamed. */
const LIMIT_NAMES = new RegExp(String.raw`\b(?:keptMs|keptAgentMs|auditKeptBytes(?:PerToken)?)\b`, 'g');

/** Returns code without comments, strings, regular expressions, the text of templates, and text between tags. */
const codeIn = ({ text }: Line): string =>
  text
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replaceAll(/`[^`]*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join())
    .replaceAll(/\/\/.*|\/\*.*?\*\/|^[\w ,.]+$/g, '')
    .replaceAll(/(?<=^|[\s(,[])\/(?:\[[^\]]*\]|[^/\\[]|\\.)+\/[a-z]*/g, '');

it('no name of a file or in code contains "kept" instead of stored, retained, waiting, remaining or held', () => {
  const named = (lines: readonly Line[]): string[] =>
    lines
      .filter((line) => !isComment(line) && /kept/i.test(codeIn(line).replaceAll(LIMIT_NAMES, '')))
      .map(({ at, text }) => `${at}: ${text.trim()}`);
  expect(everyFile(/kept[^/]*$/i)).toEqual([]);
  expect(named(EVERY_SOURCE)).toEqual([]);
  for (const text of ['const kept = 1;', 'run({ isKept })', 'KeptHome.of(`${keptMs}`)'])
    expect(named([{ at: 'x.ts:1', text }])).toHaveLength(1);
  for (const text of ["say('kept');", 'run(limits.keptMs); // The limit is kept.', '`It is kept: ${all}`'])
    expect(named([{ at: 'x.ts:1', text }])).toEqual([]);
});

it('no file contains the path of a home or machine-specific folder', () => {
  const files = everyFile(/\.(?:tsx?|mjs|css|md)$/);
  const folder = /\/(?:home|users|root|work)\/[\w.]|['"`]\/work\b/i;
  expect(hits(folder, files.flatMap(linesOf))).toEqual([]);
  expect(hits(folder, [{ at: 'x.md:1', text: ['', 'home', 'ada'].join('/') }])).toHaveLength(1);
});
