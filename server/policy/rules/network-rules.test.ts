// Tests of the forms of a host name or address that network rules match.
import { expect, it } from 'vitest';
import { parseRules } from './rule-parser.ts';
import { RuleSet } from './rule.ts';

const ruled = (host: string): RuleSet =>
  new RuleSet(
    parseRules(`network_rule(host="${host}", protocol="http", decision="deny")`, 'x.rules'),
    '/bin',
  );

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['127.0.0.1', '::ffff:7f00:1'],
  ['127.0.0.1', '0:0:0:0:0:FFFF:7F00:0001'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['Example.COM', 'example.com.'],
  ['*.Example.com', 'a.b.EXAMPLE.com'],
  ['*.example.com.', 'a.example.com'],
  ['*.example.com', 'a.example.com.'],
  ['*.0.0.1', '127.0.0.1'],
])('[AP13] a rule about %s matches %s', (host, given) => {
  expect(ruled(host).about(given, 'http')).not.toBeNull();
});

it.each([
  ['127.0.0.1', '::7f00:1'],
  ['127.0.0.1', '::ffff:7f00:2'],
  ['*.example.com', 'example.com'],
  ['*.example.com.', 'badexample.com'],
  ['example.com', 'a.example.com'],
])('[AP13] a rule about %s does not match %s', (host, given) => {
  expect(ruled(host).about(given, 'http')).toBeNull();
});
