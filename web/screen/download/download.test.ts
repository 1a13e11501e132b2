// Downloads: all output retained at the time of the request, exactly once, with HTML escaped and gaps marked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../../client/exec-client.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { LogLines } from '../log/log-lines.ts';
import { download, fileName } from './download.ts';
import { readAsLog } from './log-reading.ts';
import { retainedOutput, type Retained } from './retained-output.ts';
import { htmlWriter, textWriter } from './text-writer.ts';

const palette = {
  foreground: '#dddddd',
  background: '#000000',
  colours: Array(16).fill('#ff8080') as string[],
};

const printed = (text: string, stream: 'stdout' | 'stderr' = 'stdout'): Retained => ({
  kind: 'output',
  seq: 1,
  stream,
  bytes: new TextEncoder().encode(text),
  atMs: null,
});

async function written(pages: readonly (readonly Retained[])[], as: 'text' | 'html'): Promise<string> {
  const writer = as === 'text' ? textWriter : htmlWriter({ title: 'a <b>', facts: '"x"' }, palette);
  async function* source() {
    yield* pages;
  }
  let text = writer.head();
  let isFirst = true;
  for await (const lines of readAsLog(source())) {
    for (const line of lines) {
      text += writer.line(line, isFirst);
      isFirst = false;
    }
  }
  return text + writer.tail();
}

describe('A download as text', () => {
  it('has the lines as a person reads them, wherever pages are split', async () => {
    const pages = [
      [printed('one\ntw'), printed('err\n', 'stderr')],
      [printed('o\n10%\r20%\n')],
      [{ kind: 'gap' as const, bytes: 2048, nextSeq: 9 }, printed('\u001b[31mred\u001b[0m\u0001\n')],
    ];
    expect(await written(pages, 'text')).toBe('one\ntwo\nerr\n20%\n— 2.0 kB missing —\nred\\x01\n');
  });

  it('equals the text of the log, even when streams alternate within a line', async () => {
    const page = [printed('10%', 'stderr'), printed('one\ntw'), printed('\r20%', 'stderr'), printed('o\n')];
    const log = new LogLines(() => undefined);
    let offset = 0;
    for (const event of page) {
      if (event.kind !== 'output') continue;
      log.output(event.stream, event.bytes, offset, null);
      offset += event.bytes.length;
    }
    expect(log.text()).toBe('20%\none\ntwo\n');
    expect(await written([page], 'text')).toBe(log.text());
  });

  it('joins a line that was split because of its length', async () => {
    const long = 'word '.repeat(5000);
    expect(await written([[printed(`${long}\nnext\n`)]], 'text')).toBe(`${long}\nnext\n`);
  });
});

describe('The rest of a line that was split because of its length', () => {
  const long = 'x'.repeat(8192);
  it('is joined to its beginning across pages, unless other output came between', async () => {
    const pages = [[printed(long)], [printed('rest\n')], [printed(long)], [printed('e\n', 'stderr')]];
    expect(await written([...pages, [printed('rest\n')]], 'text')).toBe(`${long}rest\n${long}\ne\nrest\n`);
  });
});

it('a download as HTML escapes all markup, and writes colours as styles', async () => {
  const html = await written(
    [[printed('\u001b[31m<img onerror="x">\u001b[0m & \'q\'\n'), printed('e\n', 'stderr')]],
    'html',
  );
  expect(html).toContain('<title>a &lt;b&gt;</title>');
  expect(html).toContain(
    '<span style="color:#ff8080">&lt;img onerror=&quot;x&quot;&gt;</span> &amp; &#39;q&#39;\n<span class="err">e</span>',
  );
  expect(html).not.toMatch(/<script|<img/);
});

describe('retainedOutput', () => {
  /** Fakes a gateway whose log of chunks starts at `firstSeq` and grows by one chunk with every response. */
  function gateway(firstSeq: number, count: number) {
    let end = firstSeq + count;
    const chunk = (seq: number) => ({ seq, stream: 'stdout', chunk: btoa(`${seq};`) });
    const request = (_method: string, { afterSeq }: { afterSeq: number }) => {
      const from = Math.max(afterSeq + 1, firstSeq);
      const chunks = Array.from({ length: Math.max(0, Math.min(2, end - from)) }, (_, at) =>
        chunk(from + at),
      );
      const result = {
        chunks,
        nextSeq: chunks.at(-1) && from + 2 < end ? from + 2 : end,
        missedBytes: afterSeq + 1 < firstSeq ? 100 : 0,
        sizes: [],
        exitedSeq: null,
        closedSeq: null,
        exited: false,
        exitCode: null,
        sandboxDenied: false,
      };
      end += 1;
      return Promise.resolve(result);
    };
    return { request } as unknown as Connection;
  }

  async function read(firstSeq: number, count: number): Promise<string[]> {
    const seen: string[] = [];
    for await (const page of retainedOutput(gateway(firstSeq, count), 'k')) {
      for (const event of page) {
        seen.push(event.kind === 'output' ? new TextDecoder().decode(event.bytes) : event.kind);
      }
    }
    return seen;
  }

  it('reads page by page, and finishes even if the process continues', async () => {
    expect(await read(1, 5)).toEqual(['1;', '2;', '3;', '4;', '5;']);
  });
  it('begins with a gap when output is missing', async () => {
    expect(await read(7, 3)).toEqual(['gap', '7;', '8;', '9;']);
  });
  it('yields nothing when nothing is retained', async () => {
    expect(await read(1, 0)).toEqual([]);
  });
});

describe('A download with masked secrets', () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const end = { exited: false, exitCode: null, exitedSeq: null, closedSeq: null, sandboxDenied: false };
  const gateway = {
    request: () => Promise.resolve({ chunks: [], nextSeq: 1, missedBytes: 0, sizes: [], ...end }),
  } as unknown as Connection;
  const infoOf = (argv: readonly string[]) =>
    ({
      key: 'k',
      argv,
      cwd: '/',
      tty: false,
      startedAtMs: 0,
      exitCode: null,
      acts: [],
    }) as unknown as ProcessInfo;

  beforeEach(() => {
    vi.stubGlobal('document', { createElement: () => ({ click: () => undefined }) });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it.each([
    ['cast', ['deploy', '--token', secret], 'masked', true],
    ['cast', ['deploy', '--token', secret], 'shown', false],
    ['cast', ['deploy', '--token', 'mine'], 'masked', false],
    ['text', [secret], 'masked', true],
    ['raw', ['deploy', ...Array<string>(40).fill('x'), secret], 'masked', false],
  ] as const)(
    'as %s of %j reports whether secrets of the command were %s',
    async (kind, argv, secrets, expected) => {
      const wanted = { info: infoOf(argv), kind, range: null, secrets };
      expect(await download(gateway, wanted)).toBe(expected);
    },
  );
});

it.each([
  [['/bin/sh', '-c', 'npm test -- --watch'], /^npm-test-watch-\d{4}-\d\d-\d\d-\d{6}\.txt$/],
  [['/usr/bin/../x'], /^usr-bin-..-x-/],
  [['\u202e'], /^u202e-/],
  [['..'], /^process-/],
])('the file name for %j has only safe characters', (argv, name) => {
  expect(fileName({ argv, startedAtMs: 0 }, 'text')).toMatch(name);
});
