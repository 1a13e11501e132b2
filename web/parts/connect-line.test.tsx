// @vitest-environment happy-dom
// The connect text for a page that cannot create tokens explains where to get one.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ConnectLine } from './connect-line.tsx';
import { ConsoleContext, type ConsoleParts } from './console-context.tsx';

it('The connect line explains TOKEN and how to create a token, however the gateway was started', () => {
  const text = renderToStaticMarkup(
    <ConsoleContext value={{} as ConsoleParts}>
      <ConnectLine />
    </ConsoleContext>,
  );
  expect(text).toContain('Replace TOKEN');
  expect(text).toContain('exec-console token create');
  expect(text).not.toContain('printed');
});
