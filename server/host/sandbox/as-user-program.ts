// Program that checks files and creates placeholders as another user; it prints a first line, and then one
// line of JSON for each line of JSON that it reads.
import { lstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Answer, Question } from './as-user.ts';
import { makeExactFolder, removeExactFolder } from './exact-folder.ts';
import { decidedPolicy } from './decided.ts';
import { SandboxRefusal } from './refusal.ts';
import type { Policy } from './policy.ts';
import { startFacts } from './start-facts.ts';

report({ done: null });
for await (const line of createInterface({ input: process.stdin })) {
  report(await answer(JSON.parse(line) as Question));
}

function report(what: Answer): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

async function answer(question: Question): Promise<Answer> {
  try {
    return { done: 'facts' in question ? await startFacts(question.facts) : done(question) };
  } catch (error) {
    const { message } = error as Error;
    return error instanceof SandboxRefusal ? { refused: message } : { failed: message };
  }
}

function done(question: Exclude<Question, { facts: unknown }>): Policy | null {
  // Nothing is masked: the other user can neither see the gateway's own files nor mount on them.
  if ('asked' in question) return decidedPolicy(question.asked, []);
  if ('make' in question) for (const path of question.make) make(path);
  else for (const path of question.removeEmpty) removeEmpty(path);
  return null;
}

/** Creates a folder unless it exists; throws when the path is something else. */
function make(path: string): void {
  try {
    makeExactFolder(path);
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function removeEmpty(path: string): void {
  try {
    removeExactFolder(path);
  } catch {
    // The folder is left alone when it is not empty or was replaced; it may also be gone already.
  }
}
