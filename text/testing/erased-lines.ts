// Lines that a program goes back in, and what is left of each: for all who read output as lines.

const HASHES = '#'.repeat(200);

export const ERASED_LINES: readonly (readonly [printed: string, left: string])[] = [
  [`${HASHES}\u001b[2K\u001b[1Gdone`, 'done'],
  [`${HASHES}\u001b[2K\rdone`, 'done'],
  [`${HASHES}\u001b[1K\rdone`, 'done'],
  [`${HASHES}\r\u001b[Kdone`, 'done'],
  [`${HASHES}\r\u001b[0Jdone`, 'done'],
  [`${HASHES}\u001b[2J\rdone`, 'done'],
  [`${HASHES}\r\u001b[200Xdone`, 'done'],
  [`${HASHES}\r\u001b[200Pdone`, 'done'],
  [`${HASHES}\rdone\u001b[196P`, 'done'],
  [`${HASHES}\rdone\u001b[K`, 'done'],
  [`${HASHES}\r${' '.repeat(200)}\rdone`, 'done'],
  [`${HASHES}\u001b[200D${' '.repeat(200)}\u001b[200Ddone`, 'done'],
  ['donee\b \b', 'done'],
  ['done!\b\u001b[P', 'done'],
  ['done!\b\u001b[X', 'done'],
  ['done 100 %\u001b[6D\u001b[K', 'done'],
  [`${HASHES}\u001b[2K`, ''],
  ['xdone\r\u001b[P', 'done'],
  ['d ne\u001b[3D\u001b[Po\u001b[D\u001b[@o\u001b[3Gn\u001b[K\u001b[4Ge', 'done'],
  // What was printed as a blank, or stands between, stays.
  ['done  ', 'done  '],
  ['abcd\u001b[2G\u001b[2X', 'a  d'],
  ['abcd\r  ', '  cd'],
  ['ad\u001b[D\u001b[2@bc', 'abcd'],
  [`${HASHES}\u001b[2Kx`, `${' '.repeat(200)}x`],
];

const DOWNLOADING = 'downloading 45 of 100';

/** The same for characters of other widths, for more blanks than there was text, and for what moves the cursor otherwise. */
export const OVERTYPED_LINES: readonly (readonly [printed: string, left: string])[] = [
  // Blanks behind what was there rub out as much as those over it.
  [`${DOWNLOADING}\r${' '.repeat(40)}\rdone`, 'done'],
  [`${DOWNLOADING}\r${' '.repeat(40)}`, ''],
  [`${DOWNLOADING}\rdone${' '.repeat(80)}`, 'done'],
  [`${DOWNLOADING}\r${' '.repeat(40)}\rdone  \rDONE`, 'DONE'],
  [`${DOWNLOADING}${'\b'.repeat(21)}${' '.repeat(40)}${'\b'.repeat(40)}done`, 'done'],
  [`${DOWNLOADING}\r${' '.repeat(30)}x`, `${' '.repeat(30)}x`],
  [`日本\r${' '.repeat(6)}\rdone`, 'done'],
  ['two  \rT', 'Two  '],
  ['\u001b[5Ga  ', '    a  '],
  // A wide character has two cells, and is gone when one of them is.
  ['日本語\rab', 'ab本語'],
  ['日本語\rabc', 'abc 語'],
  ['日本語\u001b[2GX', ' X本語'],
  ['abcdef\r日x', '日xdef'],
  ['a日b\r日', '日 b'],
  ['📦 pack\rxx', 'xx pack'],
  ['👨\u200d👩\u200d👧 abc\r12', '12 abc'],
  ['🇩🇪!\r12', '12!'],
  ['❤\ufe0fx\b\b\b12', '12x'],
  ['日本語\u001b[3G\u001b[P', '日 語'],
  ['日本語\u001b[3G\u001b[2P', '日語'],
  ['日本語\u001b[4G\u001b[X', '日  語'],
  ['日本語\u001b[4G\u001b[K', '日'],
  ['日本語\u001b[2G\u001b[@', '   本語'],
  // A mark stays with its letter, and goes with it.
  ['cafe\u0301s\b\bX', 'cafXs'],
  ['cafe\u0301s\bX', 'cafe\u0301X'],
  ['e\u0301\re', 'e'],
  ['abc\re\u0301', 'e\u0301bc'],
  ['abc\r\u0301', 'abc'],
  ['각\u0301x\b\b\bab', 'abx'],
  // A tab moves, and is one as long as nothing is printed into it.
  ['a\tb\rxyz', 'xyz     b'],
  ['a\tb\bX', 'a\tX'],
  ['a\t\rxyz', 'xyz'],
  ['abcdefghij\r\tX', 'abcdefghXj'],
  ['abc\r\tX', 'abc     X'],
  ['日\tb\r12', '12\tb'],
  ['a\tb\u001b[ZX', 'a\tX'],
  ['a\tb\u001b[2ZX', 'X\tb'],
  ['abcdefgh\tb\u001b[2ZX', 'abcdefghX       b'],
  ['a\rb\u001b[2IX', `b${' '.repeat(15)}X`],
  ['ab\r\u001b[3aX', 'ab X'],
  // Saved and restored within the line.
  ['\u001b7aaaa\u001b8bb', 'bbaa'],
  ['\u001b[saaaa\u001b[ubb', 'bbaa'],
  ['10%\u001b7 of it\u001b8\u001b[K!', '10%!'],
  ['aa\u001b8b', 'aab'],
  // Repeated, and inserted.
  ['ab\u001b[5b|', 'abbbbbb|'],
  ['日\u001b[2b|', '日日日|'],
  ['e\u0301\u001b[b|', 'e\u0301e\u0301|'],
  ['\u001b[5b|', '|'],
  ['a\r\u001b[5b|', '|'],
  ['abc\r\u001b[4hXY', 'XYabc'],
  ['abc\r\u001b[4hX\u001b[4lY', 'XYbc'],
  ['abc\r\u001b[4h日', '日abc'],
];
