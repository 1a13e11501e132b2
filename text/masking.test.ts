// Text recognized as a secret, and text that is not: rule SC4.
import { describe, expect, it } from 'vitest';
import { SECRET_VECTORS } from '../server/testing/secret-vectors.ts';
import { findSecrets, masked, maskSpans } from './masking.ts';
import { SecretStream } from './secret-streams.ts';
import { withoutControls } from './without-controls.ts';

const mask = (secret: string): string => secret.replaceAll(/\S/g, '*');

describe('Secrets', () => {
  it.each(SECRET_VECTORS)(
    '[SC4] are masked, and nothing else is: $name',
    ({ before, secret, after = '' }) => {
      for (const [left, right] of [
        ['', ''],
        ['TOKEN=', '\n'],
        ['\u001b[1;31m', '\u001b[0m'],
        ['\u001b[2;5H', '\u001b[K'],
        ['\u001b[?25l\u001b(B', '\u001b[?25h'],
        ['["', '"]'],
        ['a line\\n', '\\n'],
        ["printf '\\033[1;31m", "'"],
        ['?q=%3D', '\n'],
        ["curl -H '", "' größer"],
      ] as const) {
        expect(masked(left + before + secret + after + right)).toBe(
          left + before + mask(secret) + after + right,
        );
      }
    },
  );

  it.each(SECRET_VECTORS)(
    '[SC4] are masked when they have several colours: $name',
    ({ before, secret, after = '' }) => {
      const coloured = secret.replaceAll(/(.{5})/g, '$1\u001b[0m\u001b[38;5;1m');
      const shown = masked(`x \u001b[1m${before}${coloured}${after} end\u001b[m`);
      const stars = mask(secret).replaceAll(/(.{5})/g, '$1\u001b[0m\u001b[38;5;1m');
      expect(shown).toBe(`x \u001b[1m${before}${stars}${after} end\u001b[m`);
    },
  );

  it.each([
    ['highlighted by grep', '\u001b[01;31m\u001b[K', '\u001b[m\u001b[K'],
    ['with bells', '\u0007', '\u0000'],
    ['with a title', '\u001b]0;a title\u0007', '\u001b]8;;http://x/\u001b\\'],
    ['with a hidden cursor', '\u001b[?25l', '\u001b[?25h'],
    ['in another alphabet', '\u001b(B', '\u001b[0 q'],
    ['with the modes of a keyboard', '\u001b[=1u', '\u001b[<u'],
    ['with stored modes', '\u001b[?25s', '\u001b[?25r'],
    ['with finals of movements and a prefix', '\u001b[>0T', '\u001b[?1A'],
    ['with finals of movements and an intermediate', '\u001b[1 A', '\u001b[2$r'],
  ])('[SC4] are masked: %s', (_how, on, off) => {
    for (const { before, secret, after = '' } of SECRET_VECTORS) {
      const cut = (text: string): string => text.replaceAll(/(.{5})/g, `$1${on}${off}`);
      expect(masked(`x ${on}${before}${off}${cut(secret)}${after} end`)).toBe(
        `x ${on}${before}${off}${cut(mask(secret))}${after} end`,
      );
      const first = `${before.slice(0, 2)}${on}${before.slice(2)}${off}`;
      expect(masked(`x ${first}${secret}${after} end`)).toBe(`x ${first}${mask(secret)}${after} end`);
    }
  });

  it.each([
    'DB_PASSWORD=hunter2x;',
    'X_TOKEN=abcd1234,',
    'KEY_PASSWORD=changeit&',
    `ghp_${'aB3'.repeat(12)};`,
    `API_TOKEN=abc,DB_PASSWORD=${'x'.repeat(300)};`,
  ])('[SC4] are masked when another one and its separator directly precede them: %s', (other) => {
    for (const { before, secret, after = '' } of SECRET_VECTORS) {
      const shown = masked(`${other}${before}${secret}${after} end`);
      for (const word of secret.split(/\s+/).filter(({ length }) => length > 8))
        expect(shown).not.toContain(word);
    }
    for (const quoted of [`Authorization: Bearer ${'aB3'.repeat(9)}`, 'API_TOKEN="correct horse battery"'])
      expect(masked(`${other}${quoted} end`)).toMatch(/^(?!.*(?:aB3aB3|horse|battery)).* end$/);
  });

  it.each([
    [
      'a JSON web token with many claims',
      '',
      `eyJ${'aZ9b'.repeat(1500)}.eyJ${'x-_7'.repeat(1400)}.${'Q2w'.repeat(100)}`,
      '',
    ],
    ['a session token', 'AWS_SESSION_TOKEN=', 'aZ9b+/'.repeat(111), ''],
    ['a page of a token', 'GET /x?access_token=', 'aZ9b'.repeat(1500), ' HTTP'],
    ['a passphrase', 'DB_PASSWORD="', 'correct horse battery '.repeat(18), '"'],
    ['a header', 'Authorization: Bearer ', 'aZ9b'.repeat(1500), ''],
    ['a key of an API', '', `sk-proj-${'aZ9b'.repeat(200)}`, ''],
    ['a password in an address', 'postgres://user:', 'aZ9b'.repeat(500), '@db'],
    ['a password after a long user name', `https://${'u'.repeat(900)}:`, 'aZ9baZ9b', '@host/'],
    [
      'a private key with many headers',
      `-----BEGIN RSA PRIVATE KEY-----\n${'Comment: some text\n'.repeat(9)}\n`,
      `${'Ab0+'.repeat(16)}\n`.repeat(230),
      '-----END RSA PRIVATE KEY-----',
    ],
  ])('[SC4] are masked to their end: %s', (_what, before, secret, after) => {
    const letters = /aZ9b|x-_7|Q2w|horse|Ab0/;
    for (const text of [masked(`${before}${secret}${after}`), masked(`x ${before}${secret}${after} end`)]) {
      expect(text).not.toMatch(letters);
      expect(text).toContain(before);
      expect(text).toContain(after);
    }
    const pieces = `${before}${secret}${after} end`.match(/[^]{1,700}/g) ?? [];
    const stream = new SecretStream();
    const shown = pieces.map((piece) => maskSpans(piece, stream.next(piece))).join('');
    expect(shown).not.toMatch(letters);
    expect(shown.endsWith(' end')).toBe(true);
  });

  it.each([
    ['many colours', `\u001b[0;1;38;2;255;255;255;48;2;100;100;100m`],
    ['parameters that a terminal ignores', `\u001b[${'0;'.repeat(5000)}1m`],
    ['a colour in C1 form', '\u009b1m'],
    ['a colour in C1 form in UTF-8', '\u00c2\u009b1m'],
    ['a control in a colour', '\u001b[3\u00001m'],
    ['a carriage return in a cursor movement', '\u001b[1;\r1H'],
    ['a control after ESC', '\u001b\u0000[1m'],
    ['parameters in the wrong order', '\u001b[1 2;3m'],
    ['a title', '\u001b]0;title\u0007'],
    ['a title with a control after ESC', '\u001b\u0001]0;title\u001b\\'],
    ['a character set', '\u001b(B'],
    ['a bell', '\u0007'],
  ])('[SC4] are masked when a letter and %s precede them, or it splits them', (_how, sequence) => {
    for (const { before, secret, after = '' } of SECRET_VECTORS) {
      expect(masked(`user${sequence}${before}${secret}${after} end`)).toBe(
        `user${sequence}${before}${mask(secret)}${after} end`,
      );
      // The letters on both sides of a movement are no longer one word.
      if (sequence.endsWith('H')) continue;
      const cut = (text: string): string => text.replaceAll(/(.{5})/g, `$1${sequence}`);
      expect(masked(`x ${before}${cut(secret)}${after} end`)).toBe(
        `x ${before}${cut(mask(secret))}${after} end`,
      );
    }
  });

  it.each([
    ['the screen is erased', '\u001b[2J'],
    ['the line is erased', '\u001b[2K'],
    ['the line is erased up to the cursor', '\u001b[1K'],
    ['the other screen is shown', '\u001b[?1049h'],
    ['the origin changes', '\u001b[?6h'],
    ['the screen is filled', '\u001b#8'],
    ['the tab stops are cleared', '\u001b[3g'],
  ])('[SC4] are masked with colours in them when a letter precedes them and %s', (_how, sequence) => {
    for (const { before, secret, after = '' } of SECRET_VECTORS) {
      const cut = (text: string): string => text.replaceAll(/(.{5})/g, '$1\u001b[1m');
      const [text, expected] = [secret, mask(secret)].map(
        (shown) => `X${sequence}${before}${cut(shown)}${after} end`,
      );
      expect(masked(text ?? '')).toBe(expected);
      const begun = `X${sequence}${before}${cut(secret.slice(0, 14))}`;
      expect(findSecrets(begun).spans.at(-1)?.end).toBeGreaterThan(begun.length - 5);
    }
  });

  describe.each([
    ['CSI', '\u001b['],
    ['CSI of one character', '\u009b'],
    ['the same in UTF-8', '\u00c2\u009b'],
  ])('with letters that a terminal repeats for %s', (_, csi) => {
    const repeat = (times: number): string => `${csi}${times === 1 ? '' : times}b`;
    /** Replaces each run of a letter with one letter, `between` and REP. */
    const packed = (text: string, between = ''): string =>
      text.replaceAll(/(\S)\1+/g, (run: string) => run.charAt(0) + between + repeat(run.length - 1));
    const drawn = (text: string): string =>
      text.replaceAll(
        new RegExp(`(.)${csi.replace('[', '\\[')}(\\d*)b`, 'g'),
        (_all, letter: string, times: string) => letter.repeat(1 + Math.max(1, Number(times))),
      );

    it.each(['\u0000', '\u0007', '\r'])(
      '[SC4] are masked with the control %j in the repetition',
      (control) => {
        const repeat19 = `${csi}${control}19b`;
        expect(masked(`x ghp_1a${repeat19}2c${repeat19}3 end`)).toBe(`x ghp_**${repeat19}**${repeat19}* end`);
      },
    );

    it.each([
      ['ghp_', `A1b22C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8`],
      ['ghp_', `1${'a'.repeat(40)}2`],
      ['github_pat_', `11AAAAAAA0${'a'.repeat(60)}`],
      ['AKIA', 'IOSFODNN7EXAMPLE'],
      ['sk-', `${'b'.repeat(48)}c`],
      ['AIza', `${'0'.repeat(17)}1${'2'.repeat(17)}`],
    ])('[SC4] are masked: %s%s', (before, secret) => {
      const text = `x ${packed(before + secret)} end`;
      expect(text).toContain('b');
      expect(drawn(text)).toBe(`x ${before}${secret} end`);
      expect(drawn(masked(text))).toBe(`x ${before}${'*'.repeat(secret.length)} end`);
    });

    it.each(['\u001b[m', '\u0007', '\u001b]0;t\u0007'])(
      '[SC4] are masked both for terminals that repeat after %j and for those that do not',
      (between) => {
        const secret = 'A1b22C3d4E55f6G7h8I9j0K1l2M3n4O5p6Q7';
        const shown = masked(`ghp_${packed(secret, between)} end`);
        expect(shown.replaceAll(between, '').replaceAll(repeat(1), '')).toMatch(/^ghp_\*+ end$/);
        const twice = masked(`AKIA${Array.from('IOSFODNN7EXAMPLE').join(`${between}${repeat(1)}`)} end`);
        expect(twice.replaceAll(between, '').replaceAll(repeat(1), '')).toBe(`AKIA${'*'.repeat(16)} end`);
      },
    );

    it('[HC4] expand to a limited length', () => {
      const text = `a${csi}99999b`.repeat(5000);
      expect(withoutControls(text)?.plain.length).toBeLessThan(6 * text.length);
    });
  });

  it('[SC4] are masked when they are overprinted, and up to a cursor movement otherwise', () => {
    const { before, secret } = SECRET_VECTORS[0] ?? { before: '', secret: '' };
    const twice = (before + secret).replaceAll(/./g, '$&\b$&');
    expect(masked(twice)).not.toMatch(new RegExp(`[${secret}]{3}.*$`));
    const over = `${before}${secret.slice(0, 9)} \b${secret.slice(9)}`;
    expect(masked(over)).toBe(`${before}${'*'.repeat(9)} \b${'*'.repeat(secret.length - 9)}`);
    const moved = '\u001b[5;10Hname and more';
    expect(masked(`${before}\u0007${secret}${moved}`)).toBe(`${before}\u0007${mask(secret)}${moved}`);
    const begun = `${before}\u0007${secret.slice(0, 9)}\u001b[3`;
    expect(findSecrets(`x ${begun}`).openFrom).toBe(2);
  });

  it('[SC4] are all masked, however many are printed', () => {
    const all = SECRET_VECTORS.map(({ before, secret, after = '' }) => before + secret + after).join(' \n');
    const shown = SECRET_VECTORS.map(({ before, secret, after = '' }) => before + mask(secret) + after);
    expect(masked(all)).toBe(shown.join(' \n'));
  });

  it.each(SECRET_VECTORS)('[SC4] are masked as far as they have arrived: $name', ({ before, secret }) => {
    // Every prefix is masked, even one letter: the password in the URL does not start with a digit, as a port would.
    for (let length = 1; length < secret.length; length += 1) {
      const text = before + secret.slice(0, length);
      const { spans, openFrom } = findSecrets(`x ${text}`);
      expect(spans.at(-1)?.end).toBe(text.length + 2);
      expect(openFrom).toBeLessThan(text.length + 2);
    }
  });
});

describe('Text without secrets', () => {
  it.each([
    'ghp_tooshort and glpat-short',
    'task-list risk-averse disk-usage sk-circle-fade-dot-animation-in-css',
    'https://localhost:5173/ ws://127.0.0.1:7420/?a=b http://[::1]:80/x@y',
    'git@github.com:owner/repository.git',
    '2026-11-22T02:00:00.000Z 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
    'const token = await read(); Authorization: Bearer $TOKEN',
    'password=$PASSWORD PGPASSWORD="${PW}" MAX_TOKEN=<none> password=1 secret_token=',
    'AKIA is how they begin, AIza too, and eyJ',
    'überall größer 日本語 🎉 \u001b[38;5;12mcolour\u001b[0m',
  ])('%s', (text) => {
    expect(masked(text)).toBe(text);
    expect(findSecrets(`${text}\n`).spans).toEqual([]);
  });

  it('[SC7] a search takes time in proportion to the length of the text, whatever it repeats', () => {
    // A repeated start of a secret could cause one search of the chunk per repetition.
    for (const part of ['.eyJ', '\u0007eyJ.', '://a:b@']) {
      const chunk = part.repeat(Math.ceil(16_000 / part.length));
      for (let count = 0; count < 60; count += 1) {
        const { spans } = findSecrets(chunk + 'x'.repeat(count));
        expect(maskSpans(chunk, spans)).toHaveLength(chunk.length);
      }
    }
    // The start of each kind is repeated, which would take a backtracking expression hours.
    for (const { before, secret } of SECRET_VECTORS) {
      for (const part of [before, before + secret.slice(0, 5), `${before} `]) {
        findSecrets(part.repeat(Math.ceil(100_000 / part.length)));
      }
    }
  }, 120_000);
});

describe('[SC4] a text that was cut', () => {
  const begun = `ghp_${'a1'.repeat(8)}`;

  it('is masked where a secret begins before the cut', () => {
    expect(masked(`curl ${begun}…`)).toBe(`curl ghp_${'*'.repeat(16)}…`);
    expect(masked(`cannot tell what "${begun}…" runs, nor ${begun}…`)).not.toContain(begun);
  });

  it('is masked where whole secrets are around the cut, and nowhere else', () => {
    const whole = `ghp_${'a1'.repeat(18)}`;
    expect(masked(`${whole} b… ${whole}`)).toBe(`ghp_${'*'.repeat(36)} b… ghp_${'*'.repeat(36)}`);
    expect(masked('Installing… done')).toBe('Installing… done');
    expect(masked(begun)).toBe(begun);
  });

  it('is searched at a cost in proportion to its length', () => {
    const text = 'ghp_…'.repeat(20_000);
    expect(masked(text)).toHaveLength(text.length);
  });
});
