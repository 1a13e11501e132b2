// The gateway's name in links, by its listening address and the names in its certificate.
import { expect, it } from 'vitest';
import { linkAuthority, localName, shownName } from './shown-address.ts';

it.each([
  ['127.0.0.1', null, '127.0.0.1'],
  ['::1', null, '[::1]'],
  ['0.0.0.0', null, '127.0.0.1'],
  ['10.0.0.5', null, '10.0.0.5'],
  ['127.0.0.1', ['localhost', '127.0.0.1'], '127.0.0.1'],
  ['127.0.0.1', ['dev.example', 'localhost'], 'localhost'],
  ['127.0.0.1', ['dev.example'], 'dev.example'],
  ['127.0.0.1', ['*.dev.example'], '127.0.0.1'],
  ['10.0.0.5', ['dev.example', '10.0.0.5'], '10.0.0.5'],
  ['10.0.0.5', ['10.0.0.6', 'dev.example'], 'dev.example'],
  ['0.0.0.0', ['localhost', '127.0.0.1', '10.0.0.5', 'dev.example'], 'dev.example'],
  ['0.0.0.0', ['localhost', '127.0.0.1', '10.0.0.5'], '10.0.0.5'],
  ['::', ['localhost', '[fd00::5]'], '[fd00::5]'],
  ['::', [], '[::1]'],
])('shownName of a gateway that listens on %s with the names %j is %s', (host, names, shown) => {
  expect(shownName(host, names)).toBe(shown);
});

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::5', '[fd00::5]'],
  ['10.0.0.5', '10.0.0.5'],
])('localName of a gateway that listens on %s is %s', (host, name) => {
  expect(localName(host)).toBe(name);
});

it.each([
  ['localhost:9', '127.0.0.1', null, 'localhost:9'],
  ['127.0.0.1:7420', '0.0.0.0', null, '127.0.0.1:7420'],
  ['dev.example:9', '0.0.0.0', ['dev.example'], 'dev.example:9'],
  ['a.dev.example', '0.0.0.0', ['*.dev.example'], 'a.dev.example'],
  ['127.0.0.1:7420', '0.0.0.0', ['dev.example', '127.0.0.1'], 'dev.example:7420'],
  ['10.0.0.5:7420', '0.0.0.0', ['dev.example'], 'dev.example:7420'],
  ['127.0.0.1:7420', '127.0.0.1', ['localhost'], 'localhost:7420'],
  ['localhost:9', '127.0.0.1', ['localhost'], 'localhost:9'],
])(
  '[CL2] linkAuthority for a request to %s at a gateway on %s with the names %j is %s',
  (visited, host, names, authority) => {
    expect(linkAuthority(visited, { host, port: 7420 }, names)).toBe(authority);
  },
);
