// Document matchers that wait, named like those of the browser tests.
import { expect as vitestExpect } from 'vitest';
import { isShown } from './browser.ts';
import { pattern, type Locator, type Words } from './locator.ts';
import { normal } from './roles.ts';
import { until } from './until.ts';

interface DocumentMatchers<R> {
  toBeVisible: () => Promise<R>;
  toBeHidden: () => Promise<R>;
  toBeAttached: () => Promise<R>;
  toHaveCount: (count: number) => Promise<R>;
  toHaveText: (text: Words | readonly Words[]) => Promise<R>;
  toContainText: (text: Words) => Promise<R>;
  toHaveAttribute: (name: string, value: Words) => Promise<R>;
  toHaveClass: (name: RegExp) => Promise<R>;
  toBeFocused: () => Promise<R>;
  toHaveValue: (value: string) => Promise<R>;
  toBeChecked: () => Promise<R>;
  toBeDisabled: () => Promise<R>;
  toBeEnabled: () => Promise<R>;
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- as vitest declares it
  interface Matchers<T = any> extends DocumentMatchers<T> {}
}

type Judged = readonly [pass: boolean, seen: string];

/** Matcher that polls until it passes or times out. */
function waiting<A extends unknown[]>(judge: (locator: Locator, ...expected: A) => Judged) {
  return async function (this: { readonly isNot?: boolean }, locator: Locator, ...expected: A) {
    const isNot = this.isNot ?? false;
    let judged: Judged = [isNot, ''];
    await until(() => {
      judged = judge(locator, ...expected);
      if (judged[0] === isNot) throw new Error('not yet');
    }).catch(() => undefined);
    const [pass, seen] = judged;
    const expectation = `${String(locator)} should ${isNot ? 'not ' : ''}be ${expected.map(String).join(', ')}`;
    return { pass, message: () => `${expectation}; it is ${seen}` };
  };
}

/** Matcher for a single element: with none or several, neither it nor its negation passes. */
function ofOne<A extends unknown[]>(judge: (element: Element, ...expected: A) => Judged) {
  return async function (this: { readonly isNot?: boolean }, locator: Locator, ...expected: A) {
    const isNot = this.isNot ?? false;
    let count = 0;
    const look = waiting((each, ...rest: A): Judged => {
      const [only, ...others] = each.all();
      count = only ? others.length + 1 : 0;
      return only && count === 1 ? judge(only, ...rest) : [isNot, `${count} elements`];
    });
    return look.call({ isNot }, locator, ...expected);
  };
}

const isText = (text: string, words: Words): boolean =>
  typeof words === 'string' ? text === normal(words) : words.test(text);

const textOf = (element: Element): string => normal(element.textContent);

vitestExpect.extend({
  toBeVisible: waiting((locator) => {
    const all = locator.all();
    return [
      all.length === 1 && all.every(isShown),
      `${all.length}, of which ${all.filter(isShown).length} visible`,
    ];
  }),
  toBeHidden: waiting((locator) => [!locator.all().some(isShown), 'visible']),
  toBeAttached: waiting((locator) => [locator.all().length === 1, `${locator.all().length} times`]),
  toHaveCount: waiting((locator, count: number) => [
    locator.all().length === count,
    `${locator.all().length} of them`,
  ]),
  toHaveText: waiting((locator, words: Words | readonly Words[]): Judged => {
    const texts = locator.all().map(textOf);
    const wanted = typeof words === 'string' || words instanceof RegExp ? [words] : words;
    const pass = texts.length === wanted.length && texts.every((text, at) => isText(text, wanted[at] ?? ''));
    return [pass, JSON.stringify(texts)];
  }),
  toContainText: ofOne((element, words: Words) => {
    const text = textOf(element);
    const has = typeof words === 'string' ? text.includes(normal(words)) : pattern(words).test(text);
    return [has, JSON.stringify(text)];
  }),
  toHaveAttribute: ofOne((element, name: string, value: Words) => {
    const is = element.getAttribute(name);
    return [is !== null && (typeof value === 'string' ? is === value : value.test(is)), JSON.stringify(is)];
  }),
  toHaveClass: ofOne((element, name: RegExp) => [name.test(element.className), element.className]),
  toBeFocused: ofOne((element) => [
    element.ownerDocument.activeElement === element,
    `the focus of ${element.ownerDocument.activeElement?.outerHTML.slice(0, 200)}`,
  ]),
  toHaveValue: ofOne((element, value: string) => {
    const is = (element as HTMLInputElement).value;
    return [is === value, JSON.stringify(is)];
  }),
  toBeChecked: ofOne((element) => [(element as HTMLInputElement).checked, 'the opposite']),
  toBeDisabled: ofOne((element) => [element.matches(':disabled'), 'the opposite']),
  toBeEnabled: ofOne((element) => [!element.matches(':disabled'), 'the opposite']),
});

export { vitestExpect as expect };
