// Realistic secrets of each kind, assembled here so that none appears literally in the source.

const LETTERS = 'kX7vQ2mZpL9aRt4YwEs8JdHc3BnGuF6oTiN5xKq1WyPzMbVrDj0AlSfUgCeOhI';
const letters = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => LETTERS[(at * 7 + from) % LETTERS.length]).join('');
const capitals = (count: number): string => letters(count).toUpperCase();

export interface SecretVector {
  readonly name: string;
  /** Text before the secret; masking leaves it visible. */
  readonly before: string;
  readonly secret: string;
  readonly after?: string;
}

export const SECRET_VECTORS: readonly SecretVector[] = [
  ...['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'].map((before) => ({
    name: 'GitHub',
    before,
    secret: letters(36),
  })),
  { name: 'GitHub, fine-grained', before: 'github_pat_', secret: `${letters(22)}_${letters(59, 3)}` },
  { name: 'GitLab', before: 'glpat-', secret: `${letters(9)}-${letters(10, 5)}` },
  { name: 'OpenAI', before: 'sk-', secret: letters(48) },
  { name: 'OpenAI, project', before: 'sk-proj-', secret: `${letters(70)}-${letters(50, 9)}_x` },
  { name: 'Anthropic', before: 'sk-ant-', secret: `api03-${letters(80)}-${letters(10, 4)}AA` },
  { name: 'AWS', before: 'AKIA', secret: capitals(16) },
  { name: 'AWS, temporary', before: 'ASIA', secret: capitals(16) },
  { name: 'AWS, secret', before: 'aws_secret_access_key = ', secret: `${letters(20)}/+${letters(18, 2)}` },
  { name: 'AWS, in JSON', before: '"SecretAccessKey": "', secret: letters(40, 8), after: '"' },
  { name: 'Google', before: 'AIza', secret: `${letters(17)}-${letters(17, 4)}` },
  { name: 'Slack', before: 'xoxb-', secret: `123456789012-1234567890123-${letters(24)}` },
  { name: 'Slack, user', before: 'xoxp-', secret: `123456789012-${letters(24)}` },
  { name: 'Slack, app', before: 'xapp-', secret: `1-A${capitals(9)}-1234567890123-${letters(40)}` },
  { name: 'Stripe', before: 'sk_live_', secret: letters(24) },
  { name: 'Stripe, restricted', before: 'rk_live_', secret: letters(24, 3) },
  { name: 'npm', before: 'npm_', secret: letters(36, 6) },
  { name: 'PyPI', before: 'pypi-', secret: `AgEIcHlwaS5vcmc${letters(120)}` },
  { name: 'Hugging Face', before: 'hf_', secret: letters(34) },
  { name: 'JSON web token', before: 'eyJ', secret: `${letters(33)}.eyJ${letters(50)}.${letters(43, 9)}` },
  { name: 'a header', before: 'Authorization: Bearer ', secret: `${letters(20)}.${letters(12)}/+=` },
  { name: 'a header in lower case', before: 'authorization: basic ', secret: `${letters(22)}==` },
  { name: 'a header in JSON', before: '"authorization":"Bearer ', secret: letters(30), after: '"' },
  { name: 'an address with a token', before: 'ws://127.0.0.1:7420/?token=', secret: letters(43) },
  { name: 'a link with a code', before: 'http://127.0.0.1:7420/#code=', secret: letters(43, 1) },
  { name: 'a link of a share', before: 'http://127.0.0.1:7420/#share=', secret: letters(43, 2) },
  { name: 'a later code in a link', before: 'http://127.0.0.1:7420/#name=a&code=', secret: letters(43, 1) },
  { name: 'an escaped link', before: 'http%3A//127.0.0.1/%23share=', secret: letters(43, 2) },
  { name: 'a page’s token', before: 'exec-console.token.', secret: letters(43, 2) },
  { name: 'a password in a URL', before: 'postgres://me:', secret: 'hunter-2!', after: '@db.example/x' },
  { name: 'a password in an environment variable', before: 'PGPASSWORD=', secret: 'hunter-2!' },
  {
    name: 'a password of several words in quotes',
    before: 'DB_PASSWORD="',
    secret: 'correct horse battery',
    after: '"',
  },
  {
    name: 'a password of several words in quotes within quotes',
    before: 'MY_SECRET=\\"',
    secret: 'correct horse battery',
    after: '\\"',
  },
  { name: 'a password in quotes', before: "db_passwd='", secret: 'correct/horse@1', after: "'" },
  { name: 'a secret in an environment variable', before: 'OAUTH_CLIENT_SECRET=', secret: letters(16, 3) },
  {
    name: 'a token in an environment variable',
    before: 'export CI_JOB_TOKEN="',
    secret: letters(20, 7),
    after: '"',
  },
  {
    name: 'a token as a user name',
    before: 'https://ghp_',
    secret: letters(36, 5),
    after: '@github.com/a/b',
  },
  {
    name: 'a private key',
    before: '-----BEGIN RSA PRIVATE KEY-----',
    secret: `\n${letters(62)}/+\n${letters(62, 5)}\r\n${letters(30)}==\n`,
    after: '-----END RSA PRIVATE KEY-----',
  },
  {
    name: 'a private key with headers',
    before: '-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF',
    secret: `\n\n${letters(62)}\n${letters(40)}\n`,
    after: '-----END EC PRIVATE KEY-----',
  },
  {
    name: 'a private key in JSON',
    before: '"key": "-----BEGIN PRIVATE KEY-----',
    secret: `\\n${letters(62)}\\n${letters(40)}\\n`,
    after: '-----END PRIVATE KEY-----\\n"',
  },
];
