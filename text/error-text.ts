// Any thrown value as a sentence.
import { visible } from './visible.ts';

/** Returns a sentence that is safe to show: an error may contain text from outside. */
export const errorText = (error: unknown): string =>
  visible(error instanceof Error ? error.message : String(error));
