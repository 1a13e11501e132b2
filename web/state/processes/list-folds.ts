// Folds of the list that differ from their initial state; kept over a reload of the page.
import { rememberedKeys } from './remembered-keys.ts';

/** Most kept folds, the oldest dropped first: sessions come and go, and their names with them. */
const REMEMBERED = 100;

export const turnedFolds = rememberedKeys('exec-console.turned-folds', REMEMBERED);

export function turnFold(id: string): void {
  const { ids } = turnedFolds.getState();
  turnedFolds.setState({
    ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-REMEMBERED),
  });
}
