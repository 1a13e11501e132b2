// Files with secrets masked, wherever chunks and pages split them.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { SECRET_VECTORS } from '../../../server/testing/secret-vectors.ts';
import type { Earlier, Retained } from './retained-output.ts';
import { describedWithoutSecrets, withoutSecrets } from './without-secrets.ts';

const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout', seq = 1): Retained => ({
  kind: 'output',
  seq,
  stream,
  bytes: new TextEncoder().encode(text),
  atMs: null,
});

async function saved(pages: readonly (readonly (Retained | Earlier)[])[]) {
  async function* source() {
    yield* pages;
  }
  let maskedPages = 0;
  let text = '';
  for await (const page of withoutSecrets(source(), () => (maskedPages += 1))) {
    for (const event of page) {
      if (event.kind === 'output') text += new TextDecoder().decode(event.bytes);
      if (event.kind === 'screen') text += new TextDecoder().decode(event.data);
    }
  }
  return { text, maskedPages };
}

const [{ before, secret } = { before: '', secret: '' }] = SECRET_VECTORS;
const whole = before + secret;
const masked = before + '*'.repeat(secret.length);

it('[SC6] withoutSecrets masks a secret within one chunk, across two chunks and across two pages, with another stream between', async () => {
  for (const at of [1, 4, 5, 20, whole.length - 1]) {
    const parts = [
      output(`größer ${whole.slice(0, at)}`),
      output('a warning\n', 'stderr'),
      output(whole.slice(at)),
    ];
    const shown = `größer ${masked.slice(0, at)}a warning\n${masked.slice(at)}`;
    expect((await saved([parts])).text).toBe(shown);
    expect((await saved(parts.map((part) => [part]))).text).toBe(shown);
  }
});

it('withoutSecrets changes nothing else, and reports whether it changed anything', async () => {
  const pages = [[output('http://localhost:3000\n'), output('日本\n', 'stderr')], [output('end\n')]];
  expect(await saved(pages)).toEqual({ text: 'http://localhost:3000\n日本\nend\n', maskedPages: 0 });
  expect((await saved([[output(`${whole}\n`)]])).maskedPages).toBe(1);
  // An observer's output is already masked by the gateway.
  expect((await saved([[output(`${masked}\n`)]])).maskedPages).toBe(0);
  expect((await saved([[output('postgres://me:****@db\n')]])).maskedPages).toBe(0);
});

it('secrets on a screen and in the command are masked', async () => {
  const screen: Retained = {
    kind: 'screen',
    seq: 1,
    size: { rows: 2, cols: 80 },
    data: new TextEncoder().encode(`\u001b[H${whole}\u001b[m`),
    isExact: true,
  };
  expect(await saved([[screen]])).toEqual({ text: `\u001b[H${masked}\u001b[m`, maskedPages: 1 });
});

it('[SC6] every text that describes the process in a file is masked, wherever it is in the info', () => {
  const info = {
    argv: ['a', whole],
    cwd: `/srv/${whole}`,
    label: whole,
    metadata: { note: whole },
    acts: [{ who: whole, atMs: 5 }],
    exitCode: null,
    startedAtMs: 7,
  } as unknown as ProcessInfo;
  const described = describedWithoutSecrets(info);
  expect(described).toMatchObject({
    argv: ['a', masked],
    cwd: `/srv/${masked}`,
    exitCode: null,
    startedAtMs: 7,
  });
  expect(JSON.stringify(described)).toBe(JSON.stringify(info).replaceAll(secret, '*'.repeat(secret.length)));
});

const gap: Retained = { kind: 'gap', bytes: 100, nextSeq: 5 };
const rest = secret.slice(10);

it('[SC9] the rest of a secret is masked after a gap, also one within a page, and where a file begins later', async () => {
  const stars = '*'.repeat(rest.length);
  expect((await saved([[gap, output(`${rest} end\n`, 'stdout', 5)]])).text).toBe(`${stars} end\n`);
  expect((await saved([[gap], [output(rest.slice(0, 3))], [output(`${rest.slice(3)} end\n`)]])).text).toBe(
    `${stars} end\n`,
  );
  const page = [
    output('one two '),
    output('three ', 'stderr'),
    gap,
    output(`${rest} end\n`),
    output(rest, 'stderr'),
  ];
  expect(await saved([page])).toEqual({ text: `one two three ${stars} end\n${stars}`, maskedPages: 1 });
  expect((await saved([[output(`${rest} end\n`, 'stdout', 9)]])).text).toBe(`${stars} end\n`);
});

it('[SC9] a secret that begins on a screen and continues in the output is masked in both', async () => {
  const screen: Retained = {
    kind: 'screen',
    seq: 4,
    size: { rows: 2, cols: 80 },
    data: new TextEncoder().encode(`a ${whole.slice(0, 12)}\r\n\u001b[1;15H`),
    isExact: true,
  };
  const shown = `a ${masked.slice(0, 12)}\r\n\u001b[1;15H${masked.slice(12)}\r\n`;
  expect((await saved([[gap, screen, output(`${whole.slice(12)}\r\n`, 'stdout', 5)]])).text).toBe(shown);
  expect((await saved([[screen], [output(`${whole.slice(12)}\r\n`, 'stdout', 5)]])).text).toBe(shown);
});

it('[SC9] output that precedes a file’s content is searched, but neither saved nor reported', async () => {
  const earlier = (text: string): Earlier => ({ kind: 'earlier', event: output(text, 'stdout', 8) });
  const [start, end] = [whole.slice(0, 12), `${whole.slice(12)} end\n`];
  expect((await saved([[earlier(`x ${start}`), output(end)]])).text).toBe(`${masked.slice(12)} end\n`);
  expect(await saved([[earlier(`x ${whole} `)], [output('plain end\n')]])).toEqual({
    text: 'plain end\n',
    maskedPages: 0,
  });
  expect(
    (await saved([[earlier('x y '), { kind: 'earlier', event: gap }, output('plain end\n')]])).text,
  ).toBe('***** end\n');
});
