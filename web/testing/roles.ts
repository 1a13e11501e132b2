// Roles and accessible names of elements, as far as the page uses them.

const BY_TAG: Readonly<Record<string, string>> = {
  A: 'link',
  ASIDE: 'complementary',
  BUTTON: 'button',
  DIALOG: 'dialog',
  FIELDSET: 'group',
  H1: 'heading',
  H2: 'heading',
  H3: 'heading',
  LI: 'listitem',
  MAIN: 'main',
  OL: 'list',
  OPTION: 'option',
  OUTPUT: 'status',
  PROGRESS: 'progressbar',
  SECTION: 'region',
  SELECT: 'combobox',
  TABLE: 'table',
  TD: 'cell',
  TEXTAREA: 'textbox',
  TH: 'columnheader',
  TR: 'row',
  UL: 'list',
};
const BY_TYPE: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  search: 'searchbox',
  submit: 'button',
};
/** Roles whose name comes from their content. */
const BY_CONTENT = new Set(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemradio option radio row tab'.split(
    ' ',
  ),
);

export const normal = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();

export function roleOf(element: Element): string | null {
  const own = element.getAttribute('role');
  if (own !== null) return own;
  if (element.tagName !== 'INPUT') return BY_TAG[element.tagName] ?? null;
  const isPicked = element.hasAttribute('list');
  return BY_TYPE[element.getAttribute('type') ?? ''] ?? (isPicked ? 'combobox' : 'textbox');
}

export function nameOf(element: Element): string {
  const [label = ''] = labelsOf(element).map(normal).filter(Boolean);
  if (label !== '') return label;
  const content = BY_CONTENT.has(roleOf(element) ?? '') ? normal(readText(element)) : '';
  return content === '' ? normal(element.getAttribute('title')) : content;
}

/** Returns the text of each kind of label, by precedence; null for a kind that the element does not have. */
export function labelsOf(element: Element): readonly (string | null)[] {
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const by = ids.map((id) => document.getElementById(id)).map((each) => each && readText(each));
  const around = element.matches('input, select, textarea') ? element.closest('label') : null;
  const named = element.id === '' ? null : document.querySelector(`label[for="${CSS.escape(element.id)}"]`);
  const legend = element.tagName === 'FIELDSET' ? element.querySelector('legend') : null;
  const texts = [named, around, legend].map((each) => each && readText(each));
  return [by.length === 0 ? null : by.join(' '), element.getAttribute('aria-label'), ...texts];
}

/** Returns the text that a screen reader reads. */
function readText(element: Element): string {
  let text = '';
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    const child = node as Element;
    if (child.getAttribute('aria-hidden') === 'true' || child.hasAttribute('hidden')) continue;
    const own = child.getAttribute('aria-label');
    text += ` ${own ?? (child.tagName === 'INPUT' ? '' : readText(child))} `;
  }
  return text;
}
