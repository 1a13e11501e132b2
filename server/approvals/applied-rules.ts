// Applies the rules of the state folder and of other places, in the first version found or the one last accepted.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedRules, RulesResult } from '../../protocol/approvals.ts';
import { SOMEBODY } from '../../protocol/console-constants.ts';
import type { ApprovalStore } from '../policy/approval-store.ts';
import { withFileLock } from '../policy/file-lock.ts';
import { allowing } from '../policy/rules/check.ts';
import { differences } from '../policy/rules/differences.ts';
import { BrokenRules, checkText, readRules, rulesIn, type RuleTexts } from '../policy/rules/rule-folder.ts';
import { NO_RULES, RuleSet, together, type Rules } from '../policy/rules/rule.ts';
import { writePrivateFile } from '../policy/state-dir.ts';
import { internal, invalidParams, invalidRequest } from '../rpc/rpc-error.ts';

/** Rule file in the state folder to which the console writes. */
const OWN_FILE = 'default.rules';

/** Interval between two checks of the files. */
const LOOK_MS = 1000;

export interface AppliedRulesOptions {
  readonly stateDir: string;
  /** Files and folders of rules that the gateway only reads. */
  readonly others: readonly string[];
  readonly store: ApprovalStore;
  /** PATH of the gateway. */
  readonly path: string | undefined;
  /**
   * Called when the files or the accepted rules have changed, with the person who changed them, or with SOMEBODY when
   * another program changed a file.
   */
  readonly changed: (by: string) => void;
}

/**
 * Agents outside a sandbox can write to the rule files, so what other programs change there applies only after an admin
 * has accepted it.
 */
export class AppliedRules {
  readonly #options: AppliedRulesOptions;
  readonly #folder: string;
  readonly #sources: readonly string[];
  #timer: NodeJS.Timeout | null = null;
  #set = new RuleSet(NO_RULES, undefined);
  #changes: readonly ChangedRules[] = [];
  #broken: string | null = null;
  #seen = '';
  #restrictions = '';
  #restrictionsVersion = 0;

  constructor(options: AppliedRulesOptions) {
    this.#options = options;
    this.#folder = join(options.stateDir, 'rules');
    this.#sources = [...options.others, this.#folder];
    this.#acceptUnknown();
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  get set(): RuleSet {
    return this.#set;
  }

  /** Version number that changes with the rules that have another decision than `allow`. */
  get restrictionsVersion(): number {
    return this.#restrictionsVersion;
  }

  /** Reason why every request needs approval; null when the files are valid and match the accepted rules. */
  get tightened(): string | null {
    if (this.#broken !== null) return `the rules cannot be used: ${this.#broken}`;
    const [first] = this.#changes;
    if (!first) return null;
    return `${first.file} was changed, and no admin has accepted the change yet`;
  }

  get result(): RulesResult {
    const files = this.#sources.flatMap((source) => Object.entries(this.#acceptedOf(source)));
    return {
      files: files.map(([file, text]) => ({ file, text })),
      changed: this.#changes,
      tightened: this.tightened,
    };
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /**
   * Permanently allows commands that begin with one of these prefixes. Throws while a file is invalid, or has changes
   * that no admin has accepted.
   */
  add(prefixes: readonly (readonly string[])[], by: string): void {
    this.#checkUnchanged();
    const file = this.#ownFile;
    const before = this.#acceptedOf(this.#folder)[file] ?? '';
    const known = new Set(before.split('\n'));
    const lines = prefixes.map(allowing).filter((line) => !known.has(line));
    if (lines.length === 0) return;
    const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
    this.#checkText(before + added);
    this.#written(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      withFileLock(file, () => appendFileSync(file, added, { mode: 0o600 }));
    });
    this.#accept(before + added, by);
  }

  /**
   * Replaces the rules in the gateway's rule file. Throws when `given` is invalid, when the rules differ from `before`
   * (if that is set), or while a file is invalid or has changes that no admin has accepted.
   */
  write(given: string, by: string, before?: string): void {
    this.#checkUnchanged();
    const file = this.#ownFile;
    if (before !== undefined && before !== (this.#acceptedOf(this.#folder)[file] ?? ''))
      throw invalidRequest('the rules have changed since they were shown; nothing was written');
    // The file cannot contain lone surrogates, so the accepted text must not either.
    const text = Buffer.from(given).toString();
    this.#checkText(text);
    this.#written(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      withFileLock(file, () => writePrivateFile(file, text));
    });
    this.#accept(text, by);
  }

  /**
   * Accepts the files as they are on disk. Throws when one is invalid, or when their changes differ from those in
   * `shown`, if that is set.
   */
  acceptChanges(shown: readonly ChangedRules[] | undefined, by: string): void {
    const { store } = this.#options;
    const found = this.#sources.map((source) => [source, validTexts(source)] as const);
    const changes = found.flatMap(([source, texts]) => differences(this.#acceptedOf(source), texts));
    if (shown && !isSame(changes, shown))
      throw invalidRequest(
        'the rules have changed again since they were shown, so nothing was accepted; review them again',
      );
    this.#written(() => store.change(({ rules }) => ({ rules: { ...rules, ...Object.fromEntries(found) } })));
    this.#look(by);
  }

  get #ownFile(): string {
    return join(this.#folder, OWN_FILE);
  }

  #acceptedOf(source: string): RuleTexts {
    return this.#options.store.stored.rules[source] ?? {};
  }

  /** Accepts the rules of places that have no accepted rules yet, since the operator put them there. */
  #acceptUnknown(): void {
    const { store } = this.#options;
    for (const source of this.#sources) {
      if (store.stored.rules[source]) continue;
      try {
        const texts = readRules(source);
        rulesIn(texts);
        store.change(({ rules }) => ({ rules: { ...rules, [source]: texts } }));
      } catch (error) {
        // Broken rules are read again and reported by `#look`.
        if (!(error instanceof BrokenRules)) throw error;
      }
    }
  }

  /** Accepts the text that the gateway has written; other differences in the folder still have to be accepted. */
  #accept(text: string, by: string): void {
    const { store } = this.#options;
    const texts = { ...this.#acceptedOf(this.#folder), [this.#ownFile]: text };
    this.#written(() => store.change(({ rules }) => ({ rules: { ...rules, [this.#folder]: texts } })));
    this.#look(by);
  }

  #checkUnchanged(): void {
    this.#look();
    if (this.tightened !== null) throw invalidRequest(`${this.tightened}; nothing was written`);
  }

  /** Throws for a text of the gateway's rule file that could not be applied once it is written. */
  #checkText(text: string): void {
    try {
      checkText(this.#ownFile, text);
    } catch (error) {
      if (error instanceof BrokenRules) throw invalidParams(`${error.message}; nothing was written`);
      throw error;
    }
  }

  #written(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw internal(`the rules cannot be written: ${(error as Error).message}`);
    }
  }

  #look(by: string = SOMEBODY): void {
    const found = new Map(this.#sources.map((source) => [source, textsOrWhy(source)]));
    const seen = JSON.stringify([[...found], this.#options.store.stored.rules]);
    if (seen === this.#seen) return;
    this.#seen = seen;
    const changes: ChangedRules[] = [];
    const accepted: Rules[] = [];
    let broken: string | null = null;
    for (const [source, texts] of found) {
      const earlier = this.#acceptedOf(source);
      // Errors in the accepted text are ignored here: it is broken only if its file is broken too, or has changed
      // since, and both are reported below.
      accepted.push(rulesIn(earlier, NO_RULES));
      try {
        if (typeof texts === 'string') throw new BrokenRules(texts);
        rulesIn(texts);
        changes.push(...differences(earlier, texts));
      } catch (error) {
        if (!(error instanceof BrokenRules)) throw error;
        broken ??= error.message;
      }
    }
    this.#broken = broken;
    this.#changes = changes;
    const rules = together(accepted);
    this.#set = new RuleSet(rules, this.#options.path);
    const restrictions = JSON.stringify(
      [...rules.prefixes, ...rules.networks].filter(({ decision }) => decision !== 'allow'),
    );
    if (restrictions !== this.#restrictions) this.#restrictionsVersion += 1;
    this.#restrictions = restrictions;
    if (this.#timer) this.#options.changed(by);
  }
}

function textsOrWhy(source: string): RuleTexts | string {
  try {
    return readRules(source);
  } catch (error) {
    if (error instanceof BrokenRules) return error.message;
    throw error;
  }
}

function validTexts(source: string): RuleTexts {
  try {
    const texts = readRules(source);
    rulesIn(texts);
    return texts;
  } catch (error) {
    if (error instanceof BrokenRules) throw invalidRequest(error.message);
    throw error;
  }
}

function isSame(changes: readonly ChangedRules[], others: readonly ChangedRules[]): boolean {
  const textOf = ({ file, accepted, found }: ChangedRules): string => JSON.stringify([file, accepted, found]);
  return JSON.stringify(changes.map(textOf).toSorted()) === JSON.stringify(others.map(textOf).toSorted());
}
