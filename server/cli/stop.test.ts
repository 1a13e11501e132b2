// The survivors that "exec-console stop" names when its time limit has passed: rule CL10.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { leftOf } from './stop.ts';

const stopped = {
  pid: 7,
  argv: ['/bin/make', 'all'],
  exitedAtMs: null,
  state: 'running' as ProcessInfo['state'],
  survivors: [],
};
const helper = { pid: 9, name: 'helper' };

it.each([
  ['the process itself while it does not end', stopped, [{ pid: 7, name: '/bin/make' }]],
  ['known survivors', { ...stopped, survivors: [helper] }, [helper]],
  ['survivors of an ended process', { ...stopped, exitedAtMs: 2, survivors: [helper] }, [helper]],
  ['nothing after the end', { ...stopped, exitedAtMs: 2 }, []],
  ['nothing of a lost process', { ...stopped, state: 'lost' as const }, []],
])('[CL10] leftOf names %s', (_what, info, left) => {
  expect(leftOf(info)).toEqual(left);
});
