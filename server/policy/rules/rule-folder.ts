// Rule files on disk: the `*.rules` of a folder in order of their names, or one file.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { numberText } from '../../../text/amounts.ts';
import { RuleError } from './rule-tokens.ts';
import { parseRules } from './rule-parser.ts';
import { together, type Rules } from './rule.ts';

/** Path → text of the file. */
export type RuleTexts = Readonly<Record<string, string>>;

/** Limits on rule files, far beyond what anyone would write by hand. */
const MOST_FILES = 100;
const MOST_BYTES = 1024 * 1024;

/** Error with a message for people: file and reason, and the position when the file cannot be parsed. */
export class BrokenRules extends Error {}

/**
 * Returns the texts of a rule file, or of all rule files in a folder, by path; empty when the path does not
 * exist. Throws BrokenRules when one cannot be read or exceeds a limit.
 */
export function readRules(path: string): RuleTexts {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return {};
    const files = found.isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.rules'))
          .toSorted()
          .map((name) => join(path, name))
      : [path];
    if (files.length > MOST_FILES) throw new BrokenRules(`${path} has more than ${MOST_FILES} rule files`);
    return Object.fromEntries(files.map((file) => [file, textOf(file)]));
  } catch (error) {
    if (error instanceof BrokenRules) throw error;
    throw new BrokenRules(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function textOf(file: string): string {
  // Opening a pipe without O_NONBLOCK would block the gateway.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) throw new BrokenRules(`${file} is not a regular file`);
    checkSize(file, found.size);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function checkSize(file: string, bytes: number): void {
  if (bytes > MOST_BYTES) throw new BrokenRules(`${file} has more than ${numberText(MOST_BYTES)} bytes`);
}

/** Throws BrokenRules for a text that is too large, or invalid, as the content of this file. */
export function checkText(file: string, text: string): void {
  checkSize(file, Buffer.byteLength(text));
  rulesIn({ [file]: text });
}

/**
 * Parses all files. The rules `instead` replace those of an invalid file; without `instead`, throws BrokenRules, with
 * line and column, for the first invalid one.
 */
export function rulesIn(texts: RuleTexts, instead?: Rules): Rules {
  return together(
    Object.entries(texts).map(([file, text]) => {
      try {
        return parseRules(text, file);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        if (instead) return instead;
        const { line, column, message } = error;
        throw new BrokenRules(`${file}:${line}:${column}: ${message}`, { cause: error });
      }
    }),
  );
}
