// The program of the fault runs: prints a stream that readers can verify, and reports its input and signals.

export type Step =
  | { readonly kind: 'print'; readonly stream: 'stdout' | 'stderr'; readonly bytes: number }
  | { readonly kind: 'sleep'; readonly ms: number }
  /** `leave`: the started program exits, and a child that it leaves behind performs the remaining steps. */
  | { readonly kind: 'leave' };

/** Lines of 36 bytes with characters of one to four bytes, so that cuts can split characters. */
const LINE = '%s%07d äß→漢字🙂 %06d ~\\n';
const LINE_BYTES = 36;

/** Final input to a terminal, which marks the end; a pipe is closed instead. */
export const END_OF_INPUT = '\0END\0';

// The script handles raw bytes, without an encoding layer in Perl.
const SCRIPT = `
use strict;
my ($report, $reads, $code, @steps) = @ARGV;
my ($interrupts, $input, $ended) = (0, '', 0);
my (%rest, %line);
$SIG{INT} = sub { $interrupts += 1 };
$SIG{HUP} = 'IGNORE';
sub put {
  my ($fd, $bytes) = @_;
  my $at = 0;
  while ($at < length $bytes) {
    my $written = syswrite $fd, $bytes, length($bytes) - $at, $at;
    if (defined $written) { $at += $written } elsif (!$!{EINTR}) { exit 99 }
  }
}
sub take {
  my $in = '';
  vec($in, 0, 1) = 1;
  return unless select($in, undef, undef, $_[0]) > 0;
  my $got = sysread STDIN, my $part, 65536;
  return unless defined $got;
  $input .= $part;
  $ended = 1 if $got == 0 || $input =~ s/\\0END\\0.*//s;
}
for (@steps) {
  my ($kind, $value) = /^(.)(.*)$/;
  if ($kind eq 's') {
    $reads && !$ended ? take($value / 1000) : select undef, undef, undef, $value / 1000;
  } elsif ($kind eq 'l') {
    exit $code if fork;
  } else {
    my $s = \\$rest{$kind};
    $$s = '' unless defined $$s;
    while (length $$s < $value) { my $n = $line{$kind}++; $$s .= sprintf "${LINE}", $kind, $n, $n % 999983 }
    put($kind eq 'o' ? \\*STDOUT : \\*STDERR, substr $$s, 0, $value, '');
  }
}
take(1) while $reads && !$ended;
if ($reads || $interrupts) {
  open my $file, '>', "$report~" or exit 98;
  print $file "$interrupts\\n$input";
  close $file or exit 97;
  rename "$report~", $report;
}
exit $code;
`;

export interface PrinterOptions {
  readonly tty: boolean;
  /** File for the report of input and signals; written only if the program reads its stdin or was interrupted. */
  readonly report: string;
  readonly readsStdin: boolean;
  readonly exitCode: number;
  readonly steps: readonly Step[];
}

export function printerCommand({ tty, report, readsStdin, exitCode, steps }: PrinterOptions): string[] {
  const perl = [
    'perl',
    '-e',
    SCRIPT,
    '--',
    report,
    readsStdin ? '1' : '',
    String(exitCode),
    ...steps.map(word),
  ];
  // A raw terminal passes all bytes unchanged in both directions.
  return tty ? ['sh', '-c', 'stty raw -echo; exec "$@"', 'sh', ...perl] : perl;
}

function word(step: Step): string {
  switch (step.kind) {
    case 'print':
      return `${letterOf(step.stream)}${step.bytes}`;
    case 'sleep':
      return `s${step.ms}`;
    case 'leave':
      return 'l';
  }
}

const letterOf = (stream: string): string => (stream === 'stderr' ? 'e' : 'o');

const known = new Map<string, Buffer>();

/** Returns the first `bytes` bytes printed to a stream; a terminal has the output of stdout. */
export function printed(stream: string, bytes: number): Buffer {
  const letter = letterOf(stream);
  let all = known.get(letter) ?? Buffer.alloc(0);
  if (all.length < bytes) {
    const lines = Math.ceil((2 * bytes) / LINE_BYTES);
    const text = Array.from({ length: lines }, (_, at) => {
      const [number, again] = [String(at).padStart(7, '0'), String(at % 999_983).padStart(6, '0')];
      return `${letter}${number} äß→漢字🙂 ${again} ~\n`;
    });
    all = Buffer.from(text.join(''));
    known.set(letter, all);
  }
  return all.subarray(0, bytes);
}

/** Input that the program received, and the number of its interrupts (SIGINT). */
export interface Report {
  readonly interrupts: number;
  readonly input: string;
}

export function readReport(text: string): Report {
  const end = text.indexOf('\n');
  return { interrupts: Number(text.slice(0, end)), input: text.slice(end + 1) };
}
