// Converts a failed call to an answer.
import type { Answer } from './answer.ts';
import { Failed } from './failed.ts';
import { Cut, Refused } from './line.ts';

/** Returns the answer of a call that was cancelled, which is not delivered. */
export const cancelled = (tool: string): Answer => ({ text: `${tool} was cancelled`, isError: true });

/** Resolves with the answer, or with an answer that states why the call failed; rejects for a defect. */
export async function answered(tool: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failed) return { text: error.message, isError: true };
    if (error instanceof Refused || error instanceof Cut)
      return { text: `${tool} failed: ${error.message}`, isError: true };
    throw error;
  }
}
