// Tests that names can be distinguished from each other and from those that the gateway assigns.
import { expect, it } from 'vitest';
import { whyNoName } from './token-name.ts';

it.each([
  'cli',
  'bot (in its client)',
  'Ada (In its  client)',
  'page',
  'token file',
  'gateway',
  'console',
  'stdio',
  'somebody',
  'you',
  'you, in another tab',
  'operator',
  'Operator 2',
  'observer 3',
  'admin',
  'page 2',
  'page 17',
  'Page 2',
  'PAGE2',
  'page-2',
  'page_2',
  'page #2',
  'page\u00a02',
  'guest',
  'guest 7',
  'ｐａｇｅ ２',
  'pagé',
  'Token  File',
  'cli 2',
  'сӏі',
  'cIi',
  'c1i',
  'clı',
  'ᴘage 2',
  'ɡuest 7',
  'guest٧',
  'guest 七',
  'page Ⅱ',
  'page:2',
  'page (2)',
  '"page 2"',
  'pa ge 2',
  'ɡ𝘂est',
])('[AU15] the name %j is reserved by the gateway', (name) => expect(whyNoName(name)).toContain('reserved'));

it.each([
  ['раge', 'several scripts'],

  ['gαteways', 'several scripts'],
  ['page\u200b', 'invisible'],
  ['pa\u00adge', 'invisible'],
  ['page\u3164', 'invisible'],
  ['cli\u{e0020}', 'invisible'],
  ['\u2800', 'invisible'],
  ['\ue000', 'invisible'],
  ['', 'invisible'],
])('[AU15] the name %j is invalid', (name, why) => expect(whyNoName(name)).toContain(why));

it.each([
  'Ada',
  'clio',
  'Anna 2',
  'console-team',
  'Иван',
  'Иван Petrov',
  'Zoë',
  'ci',
  'pager',
  'page turner',
  '李',
  'web 2',
  'می‌خواهم',
  '👩‍🚀',
])('the name %j is valid', (name) => expect(whyNoName(name)).toBeNull());

it('[AU15] a name has no blanks around it, and no more characters than the limit', () => {
  for (const name of [' Ada', 'Ada ', '\tAda']) expect(whyNoName(name)).not.toBeNull();
  expect(whyNoName('ä'.repeat(64))).toBeNull();
  expect(whyNoName('ä'.repeat(65))).toContain('64');
  expect(whyNoName('Ada раge')).not.toBeNull();
});
