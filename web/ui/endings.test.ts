// Endings are said once, together, and many of them only as a number.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { processStore } from '../processes/process-store.ts';
import { processInfo } from '../testing/process-info.ts';
import { endingsText, followEndings } from './endings.ts';

const info = (command: string, exitCode: number | null = null): ProcessInfo =>
  processInfo({
    key: command,
    argv: command.split(' '),
    state: exitCode === null ? 'running' : 'closed',
    exitCode,
  });

const know = (...infos: ProcessInfo[]): void =>
  processStore.setState({
    isListed: true,
    processes: Object.fromEntries(infos.map((each) => [each.key, each])),
  });

describe('endingsText', () => {
  it('names a few, and how they ended', () => {
    expect(endingsText([info('npm test', 1), info('make', 0)])).toBe(
      'npm test: failed · exit 1; make: succeeded',
    );
  });

  it('counts many', () => {
    const many = ['a', 'b', 'c', 'd'].map((name, index) => info(name, index > 1 ? 1 : 0));
    expect(endingsText(many)).toBe('4 processes ended, 2 of them failed');
    expect(endingsText(many.map(({ key }) => info(key, 0)))).toBe('4 processes ended');
  });

  it('is short also of what is long', () => {
    expect(endingsText([info('x'.repeat(500), 0)]).length).toBeLessThan(100);
  });
});

describe('followEndings', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    processStore.setState({ isListed: false, processes: {} });
  });
  afterEach(() => vi.useRealTimers());

  it('says together what ends together, and nothing of what had ended before', () => {
    const said: string[] = [];
    const stop = followEndings((text) => said.push(text));
    know(info('old', 0), info('one'), info('two'));
    know(info('old', 0), info('one', 0), info('two'));
    vi.advanceTimersByTime(400);
    know(info('old', 0), info('one', 0), info('two', 2));
    vi.advanceTimersByTime(600);
    expect(said).toEqual(['one: succeeded; two: failed · exit 2']);
    know(info('old', 0), info('one', 0), info('two', 2), info('three'));
    vi.advanceTimersByTime(5000);
    expect(said).toHaveLength(1);
    stop();
  });

  it('says nothing any more once it is stopped', () => {
    const say = vi.fn<(text: string) => void>();
    know(info('one'));
    const stop = followEndings(say);
    know(info('one', 0));
    stop();
    vi.advanceTimersByTime(5000);
    expect(say).not.toHaveBeenCalled();
  });
});
