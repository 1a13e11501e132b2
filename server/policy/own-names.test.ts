// Tests of the names of a gateway that can be reached from other machines.
import { describe, expect, it } from 'vitest';
import { ownOrigins, unmapped, type OwnNames } from './own-names.ts';

const TLS: OwnNames = {
  publicUrl: null,
  certificate: ['dev.example', '*.wild.example', '192.0.2.7', '[2001:db8::1]'],
};

describe('[AU9] With TLS', () => {
  it.each([
    ['dev.example', true],
    ['dev.example:7420', true],
    ['www.dev.example', false],
    ['example', false],
    ['dev.example.', false],
    ['dev.example.evil.example', false],
    ['evil.example', false],
    ['evil.example, dev.example', false],
    ['a.wild.example', true],
    ['a.b.wild.example', false],
    ['wild.example', false],
    ['.wild.example', false],
    ['*.wild.example', true],
    ['dev.example@a.wild.example', false],
    ['dev.example:', false],
    ['dev.example:123456', false],
    ['dev.example:7420:7420', false],
    ['dev.example/', false],
    ['[dev.example]', false],
    ['192.0.2.7:7420', true],
    ['192.0.2.8', false],
    ['[2001:db8::1]:7420', true],
    ['2001:db8::1', false],
    ['localhost:7420', true],
    ['localhost.', false],
    ['127.0.0.1', true],
    ['127.1', false],
    ['2130706433', false],
    ['0x7f.0.0.1', false],
    ['0.0.0.0', false],
    ['[::ffff:127.0.0.1]', false],
    ['[::]', false],
    ['', false],
  ])('the Host %j is one of the gateway’s own: %s', (host, isOurs) => {
    expect(ownOrigins(host, '10.0.0.5', TLS)).toEqual(isOurs ? [`https://${host}`] : null);
  });
});

it.each([
  ['10.0.0.5:7420', '10.0.0.5', true],
  ['10.0.0.5:7420', '::ffff:10.0.0.5', true],
  ['10.0.0.6:7420', '10.0.0.5', false],
  ['[fd00::5]:7420', 'fd00::5', true],
  ['fd00::5', 'fd00::5', false],
  ['', '', false],
])('[AU9] the Host %j of a connection to %s is one of the gateway’s own: %s', (host, address, isOurs) => {
  const names: OwnNames = { publicUrl: null, certificate: null };
  expect(ownOrigins(host, address, names)).toEqual(isOurs ? [`http://${host}`] : null);
});

it('[AU9] unmapped removes only the whole prefix of an IPv4-mapped address', () => {
  expect(unmapped('::ffff:10.0.0.5')).toBe('10.0.0.5');
  expect(unmapped('::FFFF:10.0.0.5')).toBe('10.0.0.5');
  expect(unmapped('64:ff9b::ffff:10.0.0.5')).toBe('64:ff9b::ffff:10.0.0.5');
  expect(unmapped('::ffff:abcd')).toBe('::ffff:abcd');
});
