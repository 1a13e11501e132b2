// A program that prints a build log of many different words, with colours, hashes and a few rare lines.

/** Argument order: bytes, seed. Each word, hash and number follows from the seed. */
const SCRIPT = `
const [total, seed] = process.argv.slice(1).map(Number);
let state = seed;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const whole = (end) => Math.floor(random() * end);
const parts = 'con net ser ver log mod test util core page list item view data sync lock pool task run ner pars er index key hash map tree node edge graph auth user sess ion file path dir size time out read write'.split(' ');
const words = Array.from({ length: 6000 }, () => parts[whole(parts.length)] + parts[whole(parts.length)] + (random() < 0.4 ? parts[whole(parts.length)] : ''));
const word = () => words[Math.floor(words.length * random() ** 2)];
const hash = () => Array.from({ length: 5 }, () => whole(2 ** 32).toString(16).padStart(8, '0')).join('');
const line = (n) => {
  const kind = random();
  const time = new Date(1.7e12 + n * 4).toISOString().slice(11, 23);
  if (n % 300000 === 1000) return time + ' ERROR ECONNREFUSED 127.0.0.1:5432 rare' + seed + 'x' + n;
  if (kind < 0.35) return '[' + time + '] CC src/' + word() + '/' + word() + '-' + word() + '.c -> build/' + word() + '.o (' + whole(900) + ' ms)';
  if (kind < 0.55) return time + ' INFO ' + word() + '.' + word() + ': ' + word() + ' ' + word() + ' finished in ' + whole(9000) + ' ms';
  if (kind < 0.65) return '\\x1b[32m✓\\x1b[0m ' + word() + ' ' + word() + ' \\x1b[2m(' + whole(100) + ' ms)\\x1b[0m';
  if (kind < 0.7) return '\\x1b[33mWARN\\x1b[0m ' + time + ' timeout of ' + whole(9000) + ' ms exceeded in ' + word();
  if (kind < 0.75) return 'layer sha1:' + hash() + ' ' + word() + ' pulled';
  return time + ' DEBUG ' + word() + '/' + word() + ' ' + word() + '=' + whole(1e5) + ' ' + word() + ' ' + word();
};
for (let [bytes, n, text] = [0, 0, '']; bytes < total; text = '') {
  while (text.length < 2 ** 18) text += line(n++) + '\\n';
  const piece = Buffer.from(text);
  for (let at = 0; at < piece.length; ) at += require('fs').writeSync(1, piece, at);
  bytes += piece.length;
}`;

export const buildLog = (bytes: number, seed: number): readonly string[] => [
  process.execPath,
  '-e',
  SCRIPT,
  String(bytes),
  String(seed),
];
