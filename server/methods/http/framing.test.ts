// Tests of the headers that must agree with the rest of their request: rules HT1 and HT3.
import { expect, it } from 'vitest';
import { framingFault, type Framed } from './framing.ts';

const request = (more: Partial<Framed>): Framed => ({
  method: 'POST',
  url: new URL('http://127.0.0.1:8080/a'),
  headers: [],
  body: Buffer.from('body'),
  ...more,
});

it.each<[header: string, value: string, fault: string]>([
  ['Content-Length', '0', 'content-length must be 4, the length of the body'],
  ['content-length', '04', 'content-length must be 4, the length of the body'],
  ['content-length', '4, 4', 'content-length must be 4, the length of the body'],
  ['content-length', '+4', 'content-length must be 4, the length of the body'],
  ['Transfer-Encoding', 'chunked', 'transfer-encoding is not allowed'],
  ['transfer-encoding', 'identity', 'transfer-encoding is not allowed'],
  ['Host', 'localhost', 'host must be 127.0.0.1:8080, as in the URL'],
  ['host', '127.0.0.1', 'host must be 127.0.0.1:8080, as in the URL'],
  ['host', '', 'host must be 127.0.0.1:8080, as in the URL'],
  ['Expect', '100-continue', 'expect is not allowed'],
  ['Connection', 'close, Content-Length', 'connection must not name'],
])('[HT3] %s: %s is refused by its name', (name, value, fault) => {
  expect(
    framingFault(
      request({
        headers: [
          ['x-a', '1'],
          [name, value],
        ],
      }),
    ),
  ).toContain(`headers.1: ${fault}`);
});

it.each(['host', 'content-length'])('[HT3] a repeated %s is refused, even with the right value', (name) => {
  const value = name === 'host' ? '127.0.0.1:8080' : '4';
  const headers = [name, name.toUpperCase()].map((each) => [each, value] as const);
  expect(framingFault(request({ headers }))).toBe(`headers.1: ${name} is repeated`);
});

it('[HT3] a body of CONNECT is refused, since it would be sent into a tunnel', () => {
  expect(framingFault(request({ method: 'CONNECT' }))).toMatch(/^bodyBase64: /);
  expect(framingFault(request({ method: 'CONNECT', body: null }))).toBeNull();
});

it('[HT1] headers that agree with the request are sent', () => {
  const headers = [
    ['Host', '127.0.0.1:8080'],
    ['content-length', '4'],
    ['connection', 'close'],
    ['x-a', '1'],
    ['x-a', '2'],
  ] as const;
  expect(framingFault(request({ headers }))).toBeNull();
  expect(framingFault(request({ body: null, headers: [['content-length', '0']] }))).toBeNull();
  const url = new URL('http://EXAMPLE.com:80/');
  expect(framingFault(request({ url, headers: [['host', 'Example.com']] }))).toBeNull();
});
