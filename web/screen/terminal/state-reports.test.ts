// @vitest-environment happy-dom
// Terminal state reports of the controlling page, also when it gains or loses control.
import type { Terminal } from '@xterm/xterm';
import { beforeEach, describe, expect, it } from 'vitest';
import { StateReports, type Controller } from './state-reports.ts';

const IN = '\u001b[I';
const OUT = '\u001b[O';

let sent: string[];
let live: boolean;
let mayType: boolean;
let controller: Controller;
let focusable: HTMLElement;
let modes: { sendFocusMode: boolean };
let colorSchemeUpdates: boolean;
let setMode: (params: number[]) => void;
let reports: StateReports;

beforeEach(() => {
  sent = [];
  live = false;
  mayType = true;
  controller = 'nobody';
  modes = { sendFocusMode: true };
  colorSchemeUpdates = false;
  document.body.replaceChildren();
  const element = document.body.appendChild(document.createElement('div'));
  focusable = element.appendChild(document.createElement('textarea'));
  const terminal = {
    element,
    modes,
    parser: {
      registerCsiHandler: (_: unknown, handler: (params: number[]) => boolean) => {
        setMode = handler;
      },
    },
    _core: {
      coreService: {
        decPrivateModes: {
          get colorSchemeUpdates() {
            return colorSchemeUpdates;
          },
        },
      },
      _reportColorScheme: () => reports.report('\u001b[?997;1n'),
    },
  } as unknown as Terminal;
  reports = new StateReports({
    terminal,
    isLive: () => live,
    isControlled: () => controller === 'own',
    mayType: () => mayType,
    send: (report) => sent.push(report),
  });
});

function controlledBy(next: Controller): void {
  controller = next;
  reports.controllerIs(next);
}

describe('The focus', () => {
  it('is reported once when the page gains control', () => {
    focusable.focus();
    reports.report(IN);
    expect(sent).toEqual([]);
    controlledBy('own');
    controlledBy('own');
    reports.report(IN);
    expect(sent).toEqual([IN]);
    reports.report(OUT);
    reports.report(IN);
    expect(sent).toEqual([IN, OUT, IN]);
  });

  it('is not reported to a program that has not requested it, and its loss is not reported twice', () => {
    controlledBy('own');
    expect(sent).toEqual([]);
    controlledBy('nobody');
    modes.sendFocusMode = false;
    focusable.focus();
    controlledBy('own');
    controlledBy('nobody');
    expect(sent).toEqual([]);
  });

  it('is reported as lost when control is released, or the terminal is closed', () => {
    focusable.focus();
    controlledBy('own');
    controlledBy('nobody');
    reports.report(OUT);
    expect(sent).toEqual([IN, OUT]);
    controlledBy('own');
    reports.end();
    reports.end();
    expect(sent).toEqual([IN, OUT, IN, OUT]);
  });

  it('is reported again after another page was in control, without reporting a loss in between', () => {
    focusable.focus();
    controlledBy('own');
    controlledBy('other');
    expect(sent).toEqual([IN]);
    controlledBy('own');
    expect(sent).toEqual([IN, IN]);
    controlledBy('other');
    focusable.blur();
    controlledBy('own');
    expect(sent).toEqual([IN, IN, OUT]);
  });

  it('is reported to a program that has just requested it, even if it was reported before', () => {
    controlledBy('own');
    setMode([2004]);
    reports.report(OUT);
    live = true;
    setMode([25, 1004]);
    reports.report(OUT);
    expect(sent).toEqual([OUT]);
  });
});

it('the colour scheme is reported when the page gains control, to a program that has requested it', () => {
  reports.report('\u001b[?997;2n');
  controlledBy('own');
  expect(sent).toEqual([]);
  controlledBy('nobody');
  colorSchemeUpdates = true;
  controlledBy('own');
  expect(sent).toEqual(['\u001b[?997;1n']);
});

it('a pressed mouse button is reported as released when the page loses control', () => {
  controlledBy('own');
  reports.report('\u001b[<0;3;4M');
  reports.report('\u001b[<32;5;4M');
  reports.report('\u001b[<65;5;4M');
  controlledBy('other');
  controlledBy('own');
  controlledBy('nobody');
  reports.report('\u001b[<0;3;4m');
  expect(sent).toEqual(['\u001b[<0;3;4M', '\u001b[<32;5;4M', '\u001b[<65;5;4M', '\u001b[<0;3;4m', OUT]);
});

it('a click is not sent while the gateway does not respond, but the release of an earlier one is', () => {
  const [down, up] = ['\u001b[<0;3;4M', '\u001b[<0;3;4m'];
  controlledBy('own');
  reports.report(down);
  mayType = false;
  reports.report('\u001b[<32;5;4M');
  reports.report(up);
  reports.report(down);
  reports.report(up);
  focusable.focus();
  reports.report(IN);
  expect(sent).toEqual([down, up, IN]);
});

it('each of several pressed buttons is released once, whatever modifier keys are pressed by then', () => {
  controlledBy('own');
  reports.report('\u001b[<0;3;4M');
  reports.report('\u001b[<2;3;4M');
  mayType = false;
  reports.report('\u001b[<1;3;4m');
  reports.report('\u001b[<6;3;4m');
  controlledBy('nobody');
  expect(sent.slice(0, 4)).toEqual(['\u001b[<0;3;4M', '\u001b[<2;3;4M', '\u001b[<6;3;4m', '\u001b[<0;3;4m']);
});
