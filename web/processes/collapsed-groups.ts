// Which groups of the list are folded up; it survives a reload of the page.
import { rememberedKeys } from './remembered-keys.ts';

/** The oldest are forgotten: sessions come and go, and their names with them. */
const REMEMBERED = 100;

export const collapsedGroups = rememberedKeys('exec-console.collapsed-groups', REMEMBERED);

export function toggleGroup(id: string): void {
  const { ids } = collapsedGroups.getState();
  collapsedGroups.setState({
    ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-REMEMBERED),
  });
}
