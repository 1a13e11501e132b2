// Files with secrets masked, wherever chunks and pages split them.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { SECRET_VECTORS } from '../../../server/testing/secret-vectors.ts';
import type { Retained } from './retained-output.ts';
import { describedWithoutSecrets, withoutSecrets } from './without-secrets.ts';

const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout'): Retained => ({
  kind: 'output',
  seq: 1,
  stream,
  bytes: new TextEncoder().encode(text),
  atMs: null,
});

async function saved(pages: readonly (readonly Retained[])[]) {
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
  expect(describedWithoutSecrets({ argv: ['a', whole] } as unknown as ProcessInfo).argv).toEqual([
    'a',
    masked,
  ]);
});
