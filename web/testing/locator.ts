// Locators: elements as a person describes them ("the Start button in that dialog"), looked up again at each use.
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { isShown } from './browser.ts';
import { labelsOf, nameOf, normal, roleOf } from './roles.ts';
import { settled, until } from './until.ts';

export type Words = string | RegExp;

interface RoleOptions {
  readonly name?: Words;
  /** True to match the whole name, including its case; otherwise a substring is enough, ignoring case. */
  readonly exact?: boolean;
}

/**
 * Converts text to a pattern that matches a substring, ignoring case, or exactly the whole text if `isExact`; returns a
 * RegExp unchanged.
 */
export function pattern(words: Words, isExact = false): RegExp {
  if (words instanceof RegExp) return words;
  const escaped = normal(words).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return isExact ? new RegExp(`^${escaped}$`) : new RegExp(escaped, 'i');
}

let user: UserEvent = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

/** Creates a user with no keys pressed. */
export const newUser = (): UserEvent =>
  (user = userEvent.setup({ delay: null, pointerEventsCheck: 0, document }));

const MODIFIERS: Readonly<Record<string, string>> = {
  Control: 'ControlLeft',
  ControlOrMeta: 'ControlLeft',
  Shift: 'ShiftLeft',
  Alt: 'AltLeft',
};

/** Presses a stroke such as `Control+Shift+P` on the focused element. */
export async function press(stroke: string): Promise<void> {
  const keys = stroke.split(/(?<=.)\+(?=.)/);
  const key = keys.pop() ?? '';
  const held = keys.map((each) => `[${MODIFIERS[each] ?? each}>]`).join('');
  const released = keys.map((each) => `[/${MODIFIERS[each] ?? each}]`).join('');
  const named = key === 'Space' ? ' ' : key.length === 1 ? key.replaceAll(/[{[]/g, '$&$&') : `{${key}}`;
  await user.keyboard(held + named + released);
  await settled();
}

/** Holds a key down for the given number of `keydown` events, then releases it. */
export async function hold(key: string, times: number): Promise<void> {
  const send = (name: string, repeat: boolean): void => {
    const event = new KeyboardEvent(name, { key, repeat, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  };
  for (let at = 0; at < times; at += 1) send('keydown', at > 0);
  send('keyup', false);
  await settled();
}

/** Types text into the focused element; a newline is Enter. */
export async function type(text: string): Promise<void> {
  for (const key of text) await press(key === '\n' ? 'Enter' : key);
}

export class Locator {
  readonly #words: string;
  readonly #find: () => readonly Element[];

  constructor(words: string, find: () => readonly Element[]) {
    this.#words = words;
    this.#find = find;
  }

  toString(): string {
    return this.#words;
  }

  all(): readonly Element[] {
    return this.#find();
  }

  #within(words: string, find: (parent: Element) => readonly Element[]): Locator {
    return new Locator(`${this.#words} → ${words}`, () => [...new Set(this.all().flatMap(find))]);
  }

  getByRole(role: string, { name, exact }: RoleOptions = {}): Locator {
    const wanted = name === undefined ? null : pattern(name, exact);
    return this.#within(`${role} ${String(name ?? '')}`, (parent) =>
      [...parent.querySelectorAll('*')].filter(
        (each) =>
          roleOf(each) === role &&
          isShown(each) &&
          !each.closest('[aria-hidden="true"]') &&
          (wanted === null || wanted.test(nameOf(each))),
      ),
    );
  }

  /** Locates the smallest elements that contain the text. */
  getByText(words: Words, { exact = false }: { readonly exact?: boolean } = {}): Locator {
    const wanted = pattern(words, exact);
    const has = (each: Element): boolean => wanted.test(normal(each.textContent));
    return this.#within(`text ${String(words)}`, (parent) =>
      [...parent.querySelectorAll('*')].filter((each) => has(each) && ![...each.children].some(has)),
    );
  }

  getByLabel(words: Words, { exact = false }: { readonly exact?: boolean } = {}): Locator {
    const wanted = pattern(words, exact);
    return this.#within(`label ${String(words)}`, (parent) =>
      [...parent.querySelectorAll('input, select, textarea, button, [aria-label], [aria-labelledby]')].filter(
        (each) => labelsOf(each).some((label) => wanted.test(normal(label))),
      ),
    );
  }

  getByTitle(words: Words): Locator {
    const wanted = pattern(words);
    return this.#within(`title ${String(words)}`, (parent) =>
      [...parent.querySelectorAll('[title]')].filter((each) => wanted.test(each.getAttribute('title') ?? '')),
    );
  }

  locator(selector: string): Locator {
    return this.#within(selector, (parent) => [...parent.querySelectorAll(selector)]);
  }

  filter({ hasText }: { readonly hasText: Words }): Locator {
    const wanted = pattern(hasText);
    return new Locator(`${this.#words} with ${String(hasText)}`, () =>
      this.all().filter((each) => wanted.test(normal(each.textContent))),
    );
  }

  nth(index: number): Locator {
    return new Locator(`${this.#words} [${index}]`, () => {
      const element = this.all().at(index);
      return element ? [element] : [];
    });
  }
  first(): Locator {
    return this.nth(0);
  }
  last(): Locator {
    return this.nth(-1);
  }

  /** Resolves to the single matching element once it exists or, with `isVisible`, once it is visible. */
  async element(isVisible = false): Promise<HTMLElement> {
    return until(() => {
      const found = this.all();
      const [only] = found;
      if (found.length !== 1 || !only) throw new Error(`${found.length} elements match ${this.#words}`);
      if (isVisible && !isShown(only)) throw new Error(`${this.#words} is not visible`);
      return only as HTMLElement;
    });
  }

  async click({
    modifiers = [],
    button = 'left',
  }: {
    readonly modifiers?: readonly string[];
    readonly button?: 'left' | 'middle';
  } = {}): Promise<void> {
    const element = await until(async () => {
      const each = await this.element(true);
      if (each.matches(':disabled')) throw new Error(`${this.#words} is disabled`);
      return each;
    });
    for (const each of modifiers) await user.keyboard(`[${MODIFIERS[each] ?? each}>]`);
    if (button === 'left') await user.click(element);
    else await user.pointer({ keys: '[MouseMiddle]', target: element });
    await settled();
    for (const each of modifiers) await user.keyboard(`[/${MODIFIERS[each] ?? each}]`);
  }
  async dblclick(): Promise<void> {
    await user.dblClick(await this.element(true));
    await settled();
  }
  async hover(): Promise<void> {
    await user.hover(await this.element(true));
    await settled();
  }
  async focus(): Promise<void> {
    (await this.element(true)).focus();
    await settled();
  }
  async press(stroke: string): Promise<void> {
    await this.focus();
    await press(stroke);
  }
  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await type(text);
  }
  async check(): Promise<void> {
    const box = (await this.element(true)) as HTMLInputElement;
    if (!box.checked) await user.click(box);
  }
  async uncheck(): Promise<void> {
    const box = (await this.element(true)) as HTMLInputElement;
    if (box.checked) await user.click(box);
  }
  async selectOption(value: string): Promise<void> {
    await user.selectOptions(await this.element(true), value);
    await settled();
  }
  async fill(text: string): Promise<void> {
    const field = (await this.element(true)) as HTMLInputElement | HTMLTextAreaElement;
    field.focus();
    const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
    field.setSelectionRange?.(text.length, text.length);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
    await settled();
  }
  async getAttribute(name: string): Promise<string | null> {
    return (await this.element()).getAttribute(name);
  }
}
