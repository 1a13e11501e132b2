// Checks a command against the rules, without starting it.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { RuleCheck } from '../../../protocol/rules.ts';
import { commandLine, shellQuote } from '../../../text/command-line.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { LineForm } from './line-form.tsx';
import { approvalsStore } from '../../state/approvals/approvals-store.ts';

/** `argv`: command of a process to check first, or null. */
export function CheckCommand({ argv }: { readonly argv: readonly string[] | null }) {
  const { client } = useConsole();
  const [check, setCheck] = useState<RuleCheck | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const initial = argv === null ? '' : argv.map(shellQuote).join(' ');
  /** Number of checks and edits so far, so that a late reply is never shown for another command. */
  const turn = useRef(0);
  const forget = (): void => {
    turn.current += 1;
    setProblem(null);
    setCheck(null);
  };
  const ask = (line: string): void => {
    const asked = turn.current;
    // The unchanged command of the process is checked with its exact argv, any other text as an agent would run it.
    const checked = argv !== null && line === initial ? [...argv] : ['bash', '-lc', line];
    client.connection.request('console/checkCommand', { argv: checked }).then(
      (result) => {
        if (asked === turn.current) setCheck(result);
      },
      (error: unknown) => {
        if (asked === turn.current) setProblem(errorSentence(error));
      },
    );
  };
  const askFirst = useEffectEvent(() => {
    if (argv !== null) ask(initial);
  });
  useEffect(() => askFirst(), []);
  return (
    <section aria-labelledby="approvals-check">
      <h3 id="approvals-check">Check a command</h3>
      <LineForm
        label="Command to check"
        placeholder="A command line, as an agent would run it"
        button="Check"
        initial={initial}
        onTake={(line) => {
          forget();
          ask(line);
        }}
        onEdit={forget}
      />
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      {check ? <CheckResult check={check} /> : null}
    </section>
  );
}

const VERDICTS = { run: 'runs', ask: 'waits for approval', refuse: 'is refused' } as const;

function CheckResult({ check: { parts, matchedRules, verdicts } }: { readonly check: RuleCheck }) {
  const settings = useStore(approvalsStore, (state) => state.settings);
  const { verdict, reason } = verdicts[settings?.policy ?? 'never'];
  const differing = settings?.agents.filter((each) => verdicts[each.policy].verdict !== verdict) ?? [];
  return (
    <div role="status" className="check-result">
      <p>
        With the policy for all agents, the command <b>{VERDICTS[verdict]}</b>
        {reason === null ? '' : `: ${visible(reason)}`}.
      </p>
      {differing.map(({ agent, policy }) => (
        <p key={agent}>
          With the policy for {visible(agent)}, it <b>{VERDICTS[verdicts[policy].verdict]}</b>.
        </p>
      ))}
      {parts.map(({ words, decision }, at) => (
        // The index is a stable key, since the parts of a script keep their order.
        <code key={String(at)} className="request-part" data-decision={decision ?? 'none'}>
          {commandLine(words)}
        </code>
      ))}
      {matchedRules.map(({ rule, file, line }) => (
        <p key={`${file}:${line}`}>
          <code>{visible(rule)}</code> in <code>{visible(file)}</code>, line {line}
        </p>
      ))}
    </div>
  );
}
