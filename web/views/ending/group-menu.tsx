// What can be done with everything of one agent, or of one of its threads: with all of it, also what is not in sight.
import { Ellipsis } from 'lucide-react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { MenuButton, type MenuPart } from '../../parts/menu-button.tsx';
import { tellProblem } from '../../state/page/page-store.ts';
import { ableOf, climb } from '../../state/ending/climb.ts';
import { STEP_NAME, type Step } from '../../state/ending/ladder.ts';
import { selectAlso } from '../../state/ending/selection.ts';

interface GroupMenuProps {
  /** As it stands in the heading. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly tabIndex: 0 | -1;
}

const STEPS: readonly Step[] = ['interrupt', 'terminate', 'kill'];

export function GroupMenu({ name, keys, tabIndex }: GroupMenuProps) {
  const parts = useConsole();
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  if (!isOnline) return null;
  const partsNow = (): readonly MenuPart[] => {
    const all = [
      { id: 'select', content: `Select all ${keys.length} listed`, onChoose: () => selectAlso(keys) },
    ];
    const steps = STEPS.flatMap((step) => {
      const able = ableOf({ step, keys });
      if (able.length === 0) return [];
      const content = `${STEP_NAME[step]} all ${able.length}`;
      const wanted = { step, keys: able.map(({ key }) => key), place: 'list' } as const;
      return [{ id: step, content, onChoose: () => climb(parts, wanted, tellProblem) }];
    });
    return [{ name: 'Select', items: all }, ...(steps.length > 0 ? [{ name: 'End', items: steps }] : [])];
  };
  return (
    <span
      className="group-menu"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        // The keys of its menu are no keys of the list.
        if (event.target instanceof Element && event.target.closest('[role="menu"]')) event.stopPropagation();
      }}
    >
      <MenuButton icon={Ellipsis} label={`All of ${name}`} tabIndex={tabIndex} partsNow={partsNow} />
    </span>
  );
}
