// The survivors that "exec-console stop" names when its time is over: rule CL10.
import { expect, it } from 'vitest';
import { leftOf } from './stop.ts';

const stopped = {
  pid: 7,
  argv: ['/bin/make', 'all'],
  exitedAtMs: null,
  survivors: [],
};
const helper = { pid: 9, name: 'helper' };

it.each([
  ['itself, while it does not die', stopped, [{ pid: 7, name: '/bin/make' }]],
  ['what is known to be left', { ...stopped, survivors: [helper] }, [helper]],
  ['what it has left', { ...stopped, exitedAtMs: 2, survivors: [helper] }, [helper]],
  ['nothing after the end', { ...stopped, exitedAtMs: 2 }, []],
])('[CL10] names %s', (_what, info, left) => {
  expect(leftOf(info)).toEqual(left);
});
