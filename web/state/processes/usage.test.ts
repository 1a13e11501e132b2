// Usage in words: the busiest processes, links to ports, and the one-minute graph.
import { describe, expect, it } from 'vitest';
import { busiestFirst, lateCpu } from './busiest.ts';
import { portLinks } from './port-link.ts';
import type { Used } from './usage-feed.ts';
import { cpuText, graphOf, graphText } from './usage-text.ts';

const used = (...cpus: (number | null)[]): Used => ({
  samples: cpus.map((cpu) => ({ cpu, memoryBytes: 100 })),
  processes: 1,
  ports: [],
});

describe('busiestFirst', () => {
  it('sorts by the last few seconds, and leaves idle processes in place', () => {
    const all: { readonly [key: string]: Used } = {
      idle: used(0, 0),
      busy: used(null, 0.5, 0.9),
      was: used(2, 0, 0, 0),
      peak: used(0, 0, 0.9),
    };
    expect(busiestFirst(['new', 'idle', 'was', 'peak', 'busy'], (key) => all[key])).toEqual([
      'busy',
      'peak',
      'new',
      'idle',
      'was',
    ]);
    expect(lateCpu(used(null))).toBeNull();
  });
});

describe('portLinks', () => {
  const link = (address: string, host: string): string | null | undefined =>
    portLinks([{ port: 3000, address }], host)[0]?.href;
  it.each([
    ['127.0.0.1', 'localhost', 'http://localhost:3000'],
    ['127.0.0.1', 'box.example', null],
    ['::1', '[::1]', 'http://[::1]:3000'],
    ['0.0.0.0', 'box.example', 'http://box.example:3000'],
    ['::', '10.0.0.7', 'http://10.0.0.7:3000'],
    ['10.0.0.7', 'box.example', 'http://10.0.0.7:3000'],
    ['fe80::1', 'box.example', 'http://[fe80::1]:3000'],
  ])('returns for %s, viewed on %s: %s', (address, host, href) => expect(link(address, host)).toBe(href));
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['10.0.0.7', false],
  ])('states for %s that the host is assumed: %j', (address, isStated) => {
    const [found] = portLinks([{ port: 3000, address }], 'box.example');
    expect(found?.title.includes('behind a proxy or tunnel')).toBe(isStated);
  });
  it('has one link per port, preferring a reachable address', () => {
    const ports = [
      { port: 80, address: '127.0.0.1' },
      { port: 80, address: '::' },
      { port: 22, address: '::' },
    ];
    expect(portLinks(ports, 'box').map(({ href }) => href)).toEqual(['http://box:22', 'http://box:80']);
  });
});

it.each([
  [null, '–'],
  [0, '0%'],
  [0.004, '0%'],
  [0.873, '87%'],
  [2.4, '240%'],
])('cpuText of %s cores is %s', (cpu, text) => expect(cpuText(cpu)).toBe(text));

describe('graphOf', () => {
  it('ends at the right edge, and its full height is at least one core', () => {
    const { cpu, memory, ground } = graphOf(used(0, 0.5, 1).samples, 100, { width: 59, height: 10 });
    expect(cpu).toBe('M57 10 L57 10 L58 5 L59 0 L59 10 Z');
    expect(memory).toBe('M57 0 L58 0 L59 0');
    expect(ground).toBe('M57 10 L59 10');
    expect(graphOf(used(0, 4).samples, 100, { width: 59, height: 10 }).cpu).toBe(
      'M58 10 L58 10 L59 0 L59 10 Z',
    );
  });
  it('draws memory on the given scale', () => {
    expect(graphOf(used(0, 0).samples, 1000, { width: 59, height: 10 }).memory).toBe('M58 9 L59 9');
  });
  it('is empty without samples', () => {
    expect(graphOf([], 0, { width: 59, height: 10 })).toEqual({ cpu: '', memory: '', ground: '' });
  });
  it('is described with its time span and its scale', () => {
    expect(graphText(12, 2_000_000)).toMatch(/^The last 12s, measured by this page.* full height is 2\.0 MB/);
    expect(graphText(60, 1)).toMatch(/^The last minute\. /);
  });
});
