// The gateway must understand every sandbox that a person can choose.
import { expect, it, test } from 'vitest';
import { sandboxIntent as shape } from '../../../protocol/sandbox.ts';
import { isSandboxChoice, SANDBOX_CHOICES, sandboxIntent } from './sandbox-choice.ts';

const choices = Object.keys(SANDBOX_CHOICES).filter(isSandboxChoice);

test.each(choices.filter((choice) => choice !== 'none'))(
  'the choice %s is a valid sandbox intent on the wire',
  (choice) => {
    expect(shape.parse(sandboxIntent(choice, '/srv/my shop'))).toMatchObject({
      cwd: 'file:///srv/my%20shop',
      workspaceRoots: ['file:///srv/my%20shop'],
    });
  },
);

it('the choices allow writing and the network only where their names include it', () => {
  const intents = choices.map((choice) => sandboxIntent(choice, '/x')?.permissions);
  expect(intents.map((permissions) => permissions?.network)).toEqual([
    undefined,
    'restricted',
    'restricted',
    'enabled',
  ]);
  const writes = intents.map((each) => each?.file_system.entries.some(({ access }) => access === 'write'));
  expect(writes).toEqual([undefined, false, true, true]);
});

it.each(['workspace', 'workspaceNetwork'] as const)(
  'the text of the choice %s names each writable and each protected place',
  (choice) => {
    const entries = sandboxIntent(choice, '/x')?.permissions.file_system.entries ?? [];
    const places = entries.flatMap(({ path }) => {
      if (path.type !== 'special' || path.value.kind === 'root') return [];
      if (path.value.kind === 'project_roots') return [path.value.subpath ?? 'its folder'];
      return [path.value.kind === 'tmpdir' ? '$TMPDIR' : '/tmp'];
    });
    expect(places).toHaveLength(7);
    expect(places.filter((place) => !SANDBOX_CHOICES[choice].about.includes(place))).toEqual([]);
  },
);

it('isSandboxChoice accepts only the known names', () => {
  expect(['none', 'toString', 7, undefined].map(isSandboxChoice)).toEqual([true, false, false, false]);
});
