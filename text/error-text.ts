// What went wrong, as a sentence: of whatever was thrown.
import { visible } from './visible.ts';

/** It may have words of others in it. */
export const errorText = (error: unknown): string =>
  visible(error instanceof Error ? error.message : String(error));
