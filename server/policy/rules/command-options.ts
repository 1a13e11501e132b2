// Options by which a program that is no wrapper runs a command, so that rules cannot determine what it runs.

/** Programs, and the words of theirs that are such an option or contain its value. */
const OPTIONS: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [/^fd(?:find)?$/, /^-[A-Za-z]*[xX]|^--exec/],
  [
    /^git$/,
    // Agents disable the pager and the editor by `cat` and `true`.
    /^(?:alias\.[^=]+=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|sequence\.editor|diff\.external|credential\.helper|gpg\.program|[^=]+\.(?:cmd|textconv|clean|smudge))=(?!(?:cat|true|:)?$))|^--exec(?:=|$)/i,
  ],
  [/^less$/, /^\+.*[!|]/],
  [/^man$/, /^-[A-Za-z]*[HP]|^--(?:pager|html)/],
  [/^rg$/, /^--(?:pre|hostname-bin)(?:=|$)/],
  [/^rsync$/, /^-[A-Za-z]*e|^--rs/],
  [/^g?sort$/, /^--co/],
  [/^(?:bsd|g)?tar$/, /^-[A-Za-z]*[FI]|^--(?:checkpoint-a|info|new-volume|rsh|to-c|use)/],
  [/^(?:ex|g?vim?|nvim|rvim|view|vimdiff)$/, /^\+(?!\d*$)|^-[A-Za-z]*[cS]|^--cmd/],
  [/^zip$/, /^-[A-Za-z]*TT|^--unzip-command/],
];

/** Returns true when the program has an option by which it runs a command. */
export const runsOption = (program: string, words: readonly string[]): boolean =>
  OPTIONS.some(([name, word]) => name.test(program) && words.some((each) => word.test(each)));
