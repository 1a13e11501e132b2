// Menu for all processes of an agent or one of its threads, including those out of view.
import { numberText } from '../../../text/amounts.ts';
import { Ellipsis } from 'lucide-react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole, type ConsoleParts } from '../../parts/console-context.tsx';
import { approvalsStore } from '../../state/approvals/approvals-store.ts';
import { pause, unpause } from '../../state/approvals/decide.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { MenuButton, type MenuItem, type MenuPart } from '../../parts/menu-button.tsx';
import { showProblem } from '../../state/page/page-store.ts';
import { ableOf, climb } from '../../state/ending/climb.ts';
import { STEP_NAME, type Step } from '../../state/ending/ladder.ts';
import { selectAlso } from '../../state/ending/selection.ts';

interface GroupMenuProps {
  /** Title of the group or thread, as in its heading. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly tabIndex: 0 | -1;
}

/**
 * Returns the items that pause, or unpause, new starts of the session or, if all processes belong to one thread, of
 * that thread; none for processes of people or of several sessions, and while the approval settings are unknown.
 */
function pauseItems({ client }: ConsoleParts, keys: readonly string[]): readonly MenuItem[] {
  const { settings } = approvalsStore.getState();
  const { processes } = processStore.getState();
  const infos = keys.flatMap((key) => processes[key] ?? []);
  const [first] = infos;
  if (!settings || !first || first.session === 'console') return [];
  if (infos.some(({ session }) => session !== first.session)) return [];
  const threads = new Set(infos.map(({ metadata }) => metadata['threadId'] ?? null));
  const thread = threads.size === 1 ? (first.metadata['threadId'] ?? null) : null;
  const { session } = first;
  const held = settings.pauses.find((each) => each.session === session && each.thread === thread);
  const what = thread === null ? 'this session' : 'this thread';
  if (held)
    return [{ id: 'unpause', content: `Unpause ${what}`, onChoose: () => unpause(client, { id: held.id }) }];
  const scope = { session, ...(thread !== null && { thread }) };
  return [
    { id: 'pause', content: `Pause ${what}: hold new commands`, onChoose: () => pause(client, scope) },
    {
      id: 'pauseInterrupt',
      content: `Pause ${what}, and interrupt running processes`,
      onChoose: () => pause(client, { ...scope, interrupt: true }),
    },
  ];
}

const STEPS: readonly Step[] = ['interrupt', 'terminate', 'kill'];

export function GroupMenu({ name, keys, tabIndex }: GroupMenuProps) {
  const parts = useConsole();
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!isOnline) return null;
  const partsNow = (): readonly MenuPart[] => {
    const all = [
      {
        id: 'select',
        content:
          keys.length === 1
            ? 'Select 1 listed process'
            : `Select all ${numberText(keys.length)} listed processes`,
        onChoose: () => selectAlso(keys),
      },
    ];
    const steps = STEPS.flatMap((step) => {
      const able = ableOf({ step, keys });
      if (able.length === 0) return [];
      const content =
        able.length === 1
          ? `${STEP_NAME[step]} 1 process`
          : `${STEP_NAME[step]} all ${numberText(able.length)} processes`;
      const wanted = { step, keys: able.map(({ key }) => key), place: 'list' } as const;
      return [{ id: step, content, onChoose: () => climb(parts, wanted, showProblem) }];
    });
    const pauses = pauseItems(parts, keys);
    return [
      { name: 'Select', items: all },
      ...(pauses.length > 0 ? [{ name: 'Pause', items: pauses }] : []),
      ...(steps.length > 0 ? [{ name: 'End', items: steps }] : []),
    ];
  };
  return (
    <span
      className="group-menu"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        // Keys pressed in the menu are not meant for the list.
        if (event.target instanceof Element && event.target.closest('[role="menu"]')) event.stopPropagation();
      }}
    >
      <MenuButton icon={Ellipsis} label={`Actions for ${name}`} tabIndex={tabIndex} partsNow={partsNow} />
    </span>
  );
}
