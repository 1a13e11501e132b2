// Changes are announced once, in one sentence; large numbers of processes are only counted.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processStore } from '../processes/process-store.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { followAnnouncements, announcementText, type Change } from './announcements.ts';

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

const ended = (infos: readonly ProcessInfo[]): Change[] =>
  infos.map((each) => ({ info: each, what: 'ended' }));

describe('announcementText', () => {
  it('names a few processes with their results', () => {
    expect(announcementText(ended([info('npm test', 1), info('make', 0)]))).toBe(
      'npm test: failed · exit 1; make: succeeded',
    );
  });

  it('counts many processes', () => {
    const many = ['a', 'b', 'c', 'd'].map((name, index) => info(name, index > 1 ? 1 : 0));
    expect(announcementText(ended(many))).toBe('4 processes ended (2 failed)');
    expect(announcementText(ended(many.map(({ key }) => info(key, 0))))).toBe('4 processes ended');
  });

  it('counts waiting processes, and names one whose controller changed', () => {
    const waits: Change[] = ['a', 'b', 'c'].map((name) => ({ info: info(name), what: 'waits' }));
    expect(announcementText([...waits, { info: info('top'), what: 'controlLost' }])).toBe(
      '3 processes waiting for input; top: this page no longer has control',
    );
  });

  it('is short even for a long command', () => {
    expect(announcementText(ended([info('x'.repeat(500), 0)])).length).toBeLessThan(100);
    expect(announcementText(ended([{ ...info('x', 0), label: `x${'\u{1f389}'.repeat(40)}` }]))).toBe(
      `x${'\u{1f389}'.repeat(29)}…: succeeded`,
    );
  });
});

describe('followAnnouncements', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    processStore.setState({ isListed: false, processes: {} });
  });
  afterEach(() => vi.useRealTimers());

  it('announces processes that end together in one sentence, and none that had ended before', () => {
    const announced: string[] = [];
    const stop = followAnnouncements((text) => announced.push(text));
    know(info('old', 0), info('one'), info('two'));
    know(info('old', 0), info('one', 0), info('two'));
    vi.advanceTimersByTime(400);
    know(info('old', 0), info('one', 0), info('two', 2));
    vi.advanceTimersByTime(600);
    expect(announced).toEqual(['one: succeeded; two: failed · exit 2']);
    know(info('old', 0), info('one', 0), info('two', 2), info('three'));
    vi.advanceTimersByTime(5000);
    expect(announced).toHaveLength(1);
    stop();
  });

  const online = {
    kind: 'online',
    connection: 'own',
  } as unknown as ReturnType<typeof processStore.getState>['connection'];

  it('announces processes that wait for input and changes of control, unless these are over before the announcement', () => {
    const announced: string[] = [];
    processStore.setState({ connection: online });
    // A process with pipes has a controller, but no terminal to control.
    const pipes = { ...info('pipes'), tty: false, controller: 'own' };
    know(info('ask'), info('quick'), info('top'), info('else'), { ...pipes, controller: null });
    const stop = followAnnouncements((text) => announced.push(text));
    const asks = { ...info('ask'), waitsForInput: true };
    know(
      asks,
      { ...info('quick'), waitsForInput: true },
      { ...info('top'), controller: 'own' },
      info('else'),
      pipes,
    );
    know(
      asks,
      info('quick'),
      { ...info('top'), controller: 'own' },
      { ...info('else'), controller: 'other' },
      pipes,
    );
    vi.advanceTimersByTime(1000);
    expect(announced).toEqual(['ask: waiting for input; top: this page has control']);
    know(asks, info('quick'), { ...info('top'), controller: 'other' }, info('else'));
    vi.advanceTimersByTime(1000);
    expect(announced).toHaveLength(1);
    vi.advanceTimersByTime(4000);
    expect(announced[1]).toBe('top: Another connection is in control');
    stop();
  });

  it('announces nothing after it is stopped', () => {
    const announce = vi.fn<(text: string) => void>();
    know(info('one'));
    const stop = followAnnouncements(announce);
    know(info('one', 0));
    stop();
    vi.advanceTimersByTime(5000);
    expect(announce).not.toHaveBeenCalled();
  });
});
