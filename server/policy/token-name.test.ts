// Names that people can tell apart from each other and from those that the gateway gives itself.
import { expect, it } from 'vitest';
import { whyNoName } from './token-name.ts';

it.each([
  'cli',
  'page',
  'token file',
  'gateway',
  'console',
  'stdio',
  'somebody',
  'you',
  'you, in another tab',
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
])('[AU15] the name %j is the gateway’s own', (name) => expect(whyNoName(name)).toContain('own'));

it.each([
  ['раge', 'several scripts'],
  ['сli', 'several scripts'],
  ['gαteway', 'several scripts'],
  ['page\u200b', 'hidden'],
  ['pa\u00adge', 'hidden'],
  ['page\u3164', 'hidden'],
  ['cli\u{e0020}', 'hidden'],
  ['\u2800', 'hidden'],
  ['\ue000', 'hidden'],
  ['', 'hidden'],
])('[AU15] %j is no name', (name, why) => expect(whyNoName(name)).toContain(why));

it.each(['Ada', 'Иван Petrov', 'Zoë', 'ci', 'pager', 'page turner', '李', 'web 2', 'می‌خواهم', '👩‍🚀'])(
  '%j is a name',
  (name) => expect(whyNoName(name)).toBeNull(),
);
