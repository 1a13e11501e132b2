// @vitest-environment happy-dom
// The sign-in page while a person types into it.
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { SignInPage } from './sign-in-page.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

it('The sign-in page removes the error of the last link when another one is entered', async () => {
  const element = document.body.appendChild(document.createElement('div'));
  await act(async () =>
    createRoot(element).render(<SignInPage problem="This link has expired" hasFailed={false} />),
  );
  expect(element.textContent).toContain('This link has expired');
  const field = element.querySelector('input');
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'x');
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(field?.value).toBe('x');
  expect(element.textContent).not.toContain('This link has expired');
});
