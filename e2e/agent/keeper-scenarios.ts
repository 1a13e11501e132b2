// Scenarios in which the gateway is killed while a keeper holds its processes; the outcome must be the same as
// without the kill.
import type { Scenario } from './scenarios.ts';
import { run, type } from './scripted-model.ts';

export const KEEPER_SCENARIOS: readonly Scenario[] = [
  {
    name: 'q1 the gateway is killed in the middle of a command, which ends as if nothing had happened',
    hasKeeper: true,
    steps: (stage) => [
      () => [run('for i in $(seq 1 80); do echo line $i; sleep 0.1; done; exit 4', { yield_time_ms: 700 })],
      (turn) => {
        stage.replaceGateway();
        return [type(turn, '', 30_000)];
      },
      () => [run('echo again')],
    ],
    expect: ['line 1', 'line 80', 'again'],
  },
  {
    name: 'q2 the gateway is killed twice during typing',
    hasKeeper: true,
    steps: (stage) => [
      () => [run('while read x; do echo "got $x"; done', { tty: true, yield_time_ms: 500 })],
      (turn) => {
        stage.replaceGateway();
        return [type(turn, 'one\n', 5000)];
      },
      (turn) => {
        stage.replaceGateway();
        return [type(turn, 'two\n', 5000)];
      },
      (turn) => [type(turn, 'three\n', 1000)],
    ],
    expect: ['Process running', 'got one', 'got two', 'got three'],
  },
  {
    name: 'q3 the gateway is killed before a command is started',
    hasKeeper: true,
    steps: (stage) => [
      () => [run('echo first; sleep 300', { yield_time_ms: 4000 })],
      () => {
        stage.replaceGateway();
        return [run('echo second', { yield_time_ms: 20_000 })];
      },
    ],
    expect: ['first', 'second'],
  },
];
