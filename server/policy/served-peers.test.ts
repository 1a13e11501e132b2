// Tests of the connections that are accepted with a declared proxy, and of the recorded client address.
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, parseAddressRange, ServedPeers, type AddressRange } from './served-peers.ts';

const peers = (...ranges: string[]): ServedPeers =>
  new ServedPeers(ranges.map(parseAddressRange).filter((range): range is AddressRange => range !== null));

it.each([
  ['10.0.0.2', { address: '10.0.0.2', prefix: 32 }],
  ['10.0.0.0/24', { address: '10.0.0.0', prefix: 24 }],
  ['fd00::/64', { address: 'fd00::', prefix: 64 }],
  ['fd00::2', { address: 'fd00::2', prefix: 128 }],
  ['0.0.0.0/0', null],
  ['128.0.0.0/1', null],
  ['::/0', null],
  ['10.0.0.0/33', null],
  ['10.0.0/24', null],
  ['proxy.example', null],
  ['10.0.0.2/', null],
  ['', null],
])('the address range %s is read as %j', (text, range) => {
  expect(parseAddressRange(text)).toEqual(range);
});

describe('[AU8] With a declared proxy', () => {
  it.each([
    ['10.0.0.2', '10.0.0.5', true],
    ['10.0.1.77', '10.0.0.5', true],
    ['::ffff:10.0.0.2', '::ffff:10.0.0.5', true],
    ['10.0.2.1', '10.0.0.5', false],
    ['fd00::2', 'fd00::5', true],
    ['fd00::3', 'fd00::5', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1', true],
    ['::1', '::1', true],
    ['10.0.0.5', '10.0.0.5', true],
    ['192.0.2.1', '10.0.0.5', false],
    [undefined, undefined, false],
  ])('a connection from %s to %s is served: %s', (remoteAddress, localAddress, isServed) => {
    const some = peers('10.0.0.2', '10.0.1.0/24', 'fd00::2');
    expect(some.isServed({ remoteAddress, localAddress })).toBe(isServed);
  });

  it.each([
    ['10.0.0.2', '203.0.113.7', '203.0.113.7 (through 10.0.0.2:9)'],
    ['10.0.0.2', '2001:db8::7', '2001:db8::7 (through 10.0.0.2:9)'],
    ['10.0.0.2', '1.1.1.1, 203.0.113.7', '203.0.113.7 (through 10.0.0.2:9)'],
    ['10.0.0.2', '203.0.113.7, 10.0.0.2', '203.0.113.7 (through 10.0.0.2:9)'],
    ['10.0.0.2', '10.0.0.2', '10.0.0.2:9'],
    ['10.0.0.2', 'made up', '10.0.0.2:9'],
    ['10.0.0.2', '', '10.0.0.2:9'],
    ['10.0.0.2', undefined, '10.0.0.2:9'],
    ['127.0.0.1', '203.0.113.7', '127.0.0.1:9'],
  ])('a peer %s that forwards for %j is recorded as %s', (remoteAddress, forwardedFor, source) => {
    expect(peers('10.0.0.2').sourceOf({ remoteAddress, remotePort: 9 }, forwardedFor)).toBe(source);
  });
});

it('without a declared proxy every peer is served, and forwarded addresses are ignored', () => {
  const ends = { remoteAddress: '192.0.2.1', remotePort: 9, localAddress: '10.0.0.5' };
  expect(peers().isServed(ends)).toBe(true);
  expect(peers().sourceOf(ends, '203.0.113.7')).toBe('192.0.2.1:9');
});

it('an address range is parsed only in a valid notation and with a long enough prefix', () => {
  expect(parseAddressRange('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8 });
  expect(parseAddressRange('10.0.0.0/7')).toBeNull();
  expect(parseAddressRange('::/128')).toEqual({ address: '::', prefix: 128 });
  expect(parseAddressRange('x/10.0.0.2')).toBeNull();
  expect(parseAddressRange('/10.0.0.2')).toBeNull();
});

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['10.127.0.1', false],
  ['1127.0.0.1', false],
  ['::1:1', false],
  ['fe80::1', false],
  ['', false],
])('%s is a loopback address: %s', (address, isLoopback) => {
  expect(isLoopbackAddress(address)).toBe(isLoopback);
});

it('[AU8] a connection without a known address does not count as local, and its address is shown as unknown', () => {
  expect(peers('10.0.0.2').isServed({ remoteAddress: '', localAddress: '' })).toBe(false);
  expect(peers('10.0.0.2').isServed({})).toBe(false);
  expect(peers().sourceOf({}, undefined)).toBe('unknown:0');
});
