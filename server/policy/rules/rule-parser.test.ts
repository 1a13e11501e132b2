// Tests of the supported rule language, and of the positions of errors: rule RL1.
import { describe, expect, it } from 'vitest';
import { parseRules } from './rule-parser.ts';
import { RuleError } from './rule-tokens.ts';

const errorOf = (source: string): string => {
  try {
    parseRules(source, 'x.rules');
  } catch (error) {
    if (error instanceof RuleError) return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
  return 'understood';
};

describe('A file of rules', () => {
  it('[RL1] supports the three calls in any layout', () => {
    const rules = parseRules(
      `# comment
prefix_rule(pattern=["git", ["status", 'diff']], decision="allow", justification="reads",
            match=["git status -s", ["git", "diff"]], not_match=["git push",],)
prefix_rule(
  pattern = ["rm"],   # no decision: allow
)
host_executable(name="git", paths=["/usr/bin/git", "/opt/git/bin/git"])
network_rule(host="*.example.com", protocol="https", decision="deny")
`,
      'x.rules',
    );
    expect(rules).toEqual({
      prefixes: [
        {
          file: 'x.rules',
          line: 2,
          pattern: [['git'], ['status', 'diff']],
          decision: 'allow',
          justification: 'reads',
        },
        { file: 'x.rules', line: 4, pattern: [['rm']], decision: 'allow', justification: null },
      ],
      executables: [{ name: 'git', paths: ['/usr/bin/git', '/opt/git/bin/git'] }],
      networks: [
        {
          file: 'x.rules',
          line: 8,
          host: '*.example.com',
          protocol: 'https',
          decision: 'forbidden',
          justification: null,
        },
      ],
    });
  });

  it('[RL1] supports escapes in strings', () => {
    const { prefixes } = parseRules(
      String.raw`prefix_rule(pattern=["a\"\\\n\x41\u00e9", '\'', "\a\b\f\v"])`,
      'x',
    );
    expect(prefixes[0]?.pattern).toEqual([['a"\\\nAé'], ["'"], ['\u0007\b\f\v']]);
  });

  it.each([
    ['prefix_rule(pattern=["a"]', '1:26 expected ",", not the end of the file'],
    [
      '\n  forbid(pattern=["a"])',
      '2:3 unknown rule forbid: expected one of prefix_rule, host_executable, network_rule',
    ],
    [
      'prefix_rule(pattern=["a"], decision="deny")',
      '1:37 prefix_rule: decision: expected one of allow, prompt, forbidden',
    ],
    ['prefix_rule(pattern=[])', '1:21 prefix_rule: pattern: expected 1 to 64 words'],
    ['prefix_rule(pattern=[[]])', '1:22 pattern: expected a word, or a list of words'],
    ['prefix_rule(pattern=[["a", ""], ""])', '1:22 pattern: expected a word, or a list of words'],
    ['prefix_rule(pattern=[""])', '1:22 pattern: expected a word, or a list of words'],
    ['prefix_rule(pattern="git")', '1:21 prefix_rule: pattern: expected a list'],
    ['prefix_rule(["git"])', '1:13 prefix_rule: expected an argument name'],
    ['prefix_rule(decision="allow")', '1:1 prefix_rule: pattern is missing'],
    ['prefix_rule(pattern=["a"], pattern=["b"])', '1:28 prefix_rule: pattern is given twice'],
    ['prefix_rule(pattern=["a"], foo="b")', '1:32 prefix_rule has no argument foo'],
    ['prefix_rule(pattern=["a" + "b"])', '1:26 unexpected "+"'],
    ['prefix_rule(pattern=["a"\n  "b"])', '2:3 expected ",", not "b"'],
    ['prefix_rule(pattern=["a])', '1:22 this string is not closed on its line'],
    ['prefix_rule(pattern=["""a"""])', '1:22 triple-quoted strings are not supported'],
    [String.raw`prefix_rule(pattern=["\q"])`, String.raw`1:22 unknown escape \q in a string`],
    ['x = ["git"]', '1:3 expected "(", not "="'],
    ['load("other.rules", "x")', '1:6 load: expected an argument name'],
    [
      'prefix_rule(pattern=["git", "push"], match=["git pull"])',
      '1:45 match: this example does not match the pattern',
    ],
    ['prefix_rule(pattern=["git"], not_match=[["git"]])', '1:41 not_match: this example matches the pattern'],
    [
      'prefix_rule(pattern=["git"], match=["git $(x)"])',
      '1:37 expected one command of plain words as an example',
    ],
    [
      'host_executable(name="git", paths=["git"])',
      '1:35 host_executable: paths: expected absolute paths that end with /git',
    ],
    [
      'network_rule(host="a b", protocol="https", decision="allow")',
      '1:19 network_rule: host: expected a host name',
    ],
    ['network_rule(host="a", protocol="https")', '1:1 network_rule: decision is missing'],
    [`prefix_rule(pattern=${'['.repeat(9)}`, '1:25 lists are nested too deeply'],
  ])('[RL1] gets each error with its line and column: %j', (source, error) => {
    expect(errorOf(source)).toBe(error);
  });
});
