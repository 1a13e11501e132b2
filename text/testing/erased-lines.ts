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
