// Lint for names in code, and for paths of one machine.
import { expect, it } from 'vitest';
import { codeIn, EVERY_SOURCE, everyFile, hits, isComment, linesOf, type Line } from './source-lines.ts';

/** A declaration named by a verb of speech, instead of report, send, notify or print. */
const SPOKEN_NAME = /\b(?:const|let|function|readonly) #?(?:told|tells?|said|say)\b/;

/** A constant with a verb of speech as one word of its name, or a listener named by one: `TELL_MS`, `onTold`. */
const SPOKEN_PART =
  /(?<![A-Za-z\d])(?:[A-Z\d]+_)*(?:UN)?(?:TOLD|TELLS?|TELLING|SAID|SAYS?|SAYING)(?:_[A-Z\d]+)*(?![A-Za-z\d])|\bon(?:Told|Said)\b/;

it('no name contains "told" or "said"', () => {
  // Notes of unified exec are stored and read by later gateways, so their members cannot be renamed.
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

/** A declaration or a call named by a pronoun or by a verb in a past form, where a noun or an imperative is due. */
const BARE_NAME = /\b(?:const|let|function) (?:whose|cameIn|goneOn)\b|(?<![\w'"])(?:whose|cameIn|goneOn)\(/;

it('no function is named "whose", "cameIn" or "goneOn"', () => {
  const named = (lines: readonly Line[]): string[] =>
    lines
      .filter((line) => !isComment(line) && BARE_NAME.test(codeIn(line)))
      .map(({ at, text }) => `${at}: ${text.trim()}`);
  expect(named(EVERY_SOURCE)).toEqual([]);
  for (const text of ['const whose = 1;', '...whose(peer),', '  goneOn(id: string): void {'])
    expect(named([{ at: 'x.ts:1', text }])).toHaveLength(1);
  for (const text of ["run('whose');", '// It names whose(x).', 'isWhose(peer)'])
    expect(named([{ at: 'x.ts:1', text }])).toEqual([]);
});

/** Names of limits that are documented in docs/limits.md, so they cannot be renamed. */
const LIMIT_NAMES = new RegExp(String.raw`\b(?:keptMs|keptAgentMs|auditKeptBytes(?:PerToken)?)\b`, 'g');

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

/** A class of the page whose name has one of these words, in a stylesheet or in a class attribute. */
const SPOKEN_CLASS =
  /\.[\w-]*(?:told|said|kept)\b(?![\w(])(?=[^;]*[{,)+~>])|className=.*\b\w*(?:told|said|kept)\b/;

it('no class of the page is named "told", "said" or "kept"', () => {
  const page = EVERY_SOURCE.filter(({ at }) => /^web\/.*\.(?:css|tsx):/.test(at));
  expect(hits(SPOKEN_CLASS, page)).toEqual([]);
  for (const text of ['  .pane .untold + .x {', "className={is ? 'title untold' : 'title'}"])
    expect(hits(SPOKEN_CLASS, [{ at: 'web/x.css:1', text }])).toHaveLength(1);
});

/** Returns a pattern for a declaration or parameter with this name. */
const declares = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<!declare )\b(?:const|let) ${name}\b|\(${name}(?:[:,][^()]*)?\)(?:: [^=]*)? =>|\(\w[^()]*, ${name}(?:[:,][^()]*)?\)(?:: [^=]*)? =>|\bfunction \w+\([^)]*\b${name}:`,
  );

/** Node's globals with names that are also words of the glossary, each with members that only the global has. */
const GLOBALS: readonly (readonly [name: string, own: RegExp])[] = [
  [
    'process',
    /\bprocess\.(?:env|argv|execPath|platform|std(?:in|out|err)\b|cwd\(|getuid|nextTick|versions?\b)/,
  ],
  ['console', /\bconsole\.(?:log|error|warn|debug)\(/],
];

it('no file uses a global of Node and also has a variable of its name', () => {
  const shadowed = (source: string): string[] =>
    GLOBALS.filter(([name, own]) => own.test(source) && declares(name).test(source)).map(([name]) => name);
  const files = everyFile(/\.(?:tsx?|mjs)$/).filter((path) => !path.endsWith('names.test.ts'));
  const faults = files.flatMap((path) => {
    const lines = linesOf(path).filter((line) => !isComment(line));
    return shadowed(lines.map(codeIn).join('\n')).map((name) => `${path}: ${name}`);
  });
  expect(faults).toEqual([]);
  expect(shadowed('use(process.env.X); all.find((process) => process.key)')).toEqual(['process']);
  expect(shadowed('const console = make(); console.log(1);')).toEqual(['console']);
  expect(shadowed('const process = start(); process.exit;')).toEqual([]);
});

it('no file contains the path of a home or machine-specific folder', () => {
  const files = everyFile(/\.(?:tsx?|mjs|css|md)$/);
  const folder = /\/(?:home|users|root|work)\/[\w.]|['"`]\/work\b/i;
  expect(hits(folder, files.flatMap(linesOf))).toEqual([]);
  expect(hits(folder, [{ at: 'x.md:1', text: ['', 'home', 'ada'].join('/') }])).toHaveLength(1);
});
