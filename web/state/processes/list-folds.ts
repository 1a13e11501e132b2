// Folds of the list that differ from their initial state; they survive a reload.
import { rememberedKeys } from './remembered-keys.ts';

/**
 * Maximum number of stored folds, oldest dropped first: those of ended sessions would accumulate otherwise.
 */
const REMEMBERED = 100;

export const turnedFolds = rememberedKeys('exec-console.turned-folds', REMEMBERED);

export function turnFold(id: string): void {
  const { ids } = turnedFolds.getState();
  turnedFolds.setState({
    ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-REMEMBERED),
  });
}
