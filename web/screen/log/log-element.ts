// Creates the element of a log view, hidden until the log is shown.
export function logElement(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'log-view';
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Log');
  element.hidden = true;
  return element;
}
