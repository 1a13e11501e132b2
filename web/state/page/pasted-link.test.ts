// Results of the sign-in page for pasted text.
import { describe, expect, it } from 'vitest';
import { parsePasted } from './pasted-link.ts';

const PAGE = 'http://127.0.0.1:7420/';
const CODE = 'abcdefghijklmnopqrstuvwxyz-_0123';
const SIGN_IN = { kind: 'link', href: `${PAGE}#code=${CODE}`, elsewhere: null };

describe('A pasted sign-in text', () => {
  it.each([
    `${PAGE}#code=${CODE}`,
    `  ${PAGE}#code=${CODE}\n`,
    `Open the page     ${PAGE}#code=${CODE}`,
    `${PAGE}#code=${CODE.slice(0, 9)}\n  ${CODE.slice(9)}`,
    `<${PAGE}#code=${CODE}>`,
    `"${PAGE}#code=${CODE}"`,
    `#code=${CODE}`,
    `code=${CODE}`,
    CODE,
    `'${CODE}'`,
    `$ exec-console link\n${PAGE}#code=${CODE}\nuser@host:~$ `,
    `${PAGE}#code=${CODE.slice(0, 9)}\n${CODE.slice(9)}\nPress Ctrl-C to stop`,
    `${PAGE}#code=${CODE}. It works once`,
    `${CODE}\nuser@host:~$`,
    `${CODE}.`,
    `code: **${CODE}**`,
    `\u2060${PAGE}#code=${CODE.slice(0, 9)}\u00ad${CODE.slice(9)}\u200b`,
    `${CODE}\u200b`,
  ])('%j signs in here', (text) => expect(parsePasted(text, PAGE)).toEqual(SIGN_IN));

  it.each([
    [`http://localhost:9000/#code=${CODE}`, 'http://localhost:9000/'],
    [`https://dev.example/console/#code=${CODE}`, 'https://dev.example/console/'],
    [`${PAGE}other/#code=${CODE}`, `${PAGE}other/`],
  ])('%s belongs to another address, which is named', (text, elsewhere) =>
    expect(parsePasted(text, PAGE)).toEqual({ ...SIGN_IN, elsewhere }),
  );

  it('may be a share link', () =>
    expect(parsePasted(`${PAGE}#share=${CODE}${CODE.slice(21)}`, PAGE)).toMatchObject({
      href: `${PAGE}#share=${CODE}${CODE.slice(21)}`,
    }));

  it.each([
    ['', /Paste the link/],
    ['  \n', /Paste the link/],
    [`CODEX_EXEC_SERVER_URL='ws://127.0.0.1:7420/?token=${CODE}' codex`, /for an agent/],
    [PAGE, /has no complete code/],
    [`${PAGE}#code=`, /has no complete code/],
    [`${PAGE}#code=abc`, /has no complete code/],
    ['http://localhost:9000/#code=abc', /has no complete code/],
    [`http://localhost:9000/#code=${CODE}x`, /has no complete code/],
    [`${PAGE}#share=${CODE}`, /incomplete/],
    ['hello', /Not a sign-in link or code/],
    [`${CODE}x`, /Not a sign-in link or code/],
    [`javascript:alert(1)//${CODE}`, /Not a sign-in link or code/],
  ])('%j is refused with the reason', (text, reason) =>
    expect(parsePasted(text, PAGE)).toEqual({ kind: 'problem', text: expect.stringMatching(reason) }),
  );
});
