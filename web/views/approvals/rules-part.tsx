// Active rules, rule files that were changed outside the gateway and are not active yet, and a form for adding a
// rule.
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ChangedRules, RulesResult } from '../../../protocol/approvals.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { visible, visibleLines } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { LineForm } from './line-form.tsx';
import { processStore } from '../../state/processes/process-store.ts';

/** File to which the gateway itself writes rules. */
const OWN_FILE = 'default.rules';

interface RulesPartProps {
  readonly rules: RulesResult;
  readonly onChanged: () => void;
}

export function RulesPart({ rules: { files, changed, tightened }, onChanged }: RulesPartProps) {
  const { client } = useConsole();
  const [problem, setProblem] = useState<string | null>(null);
  const connection = useStore(processStore, (state) => state.connection);
  const isAdmin = connection.kind === 'online' && connection.role === 'admin';
  const done = (request: Promise<unknown>): void =>
    void request.then(
      () => {
        setProblem(null);
        onChanged();
      },
      (error: unknown) => setProblem(errorSentence(error)),
    );
  return (
    <section aria-labelledby="approvals-rules">
      <h3 id="approvals-rules">Rules</h3>
      {tightened === null ? null : (
        <p role="status" className="request-note">
          Every new command waits: {visible(tightened)}.
        </p>
      )}
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      {changed.map((each) => (
        <ChangedFile key={each.file} changed={each} />
      ))}
      {changed.length > 0 ? (
        <p className="rules-accept">
          {isAdmin ? (
            <button
              type="button"
              className="primary"
              onClick={() => done(client.connection.request('console/acceptRules', { changed }))}
            >
              Accept these changes
            </button>
          ) : (
            'An admin must accept the change, here or with: '
          )}
          {isAdmin ? null : <code>exec-console policy accept</code>}
        </p>
      ) : null}
      {files.map(({ file, text }) => (
        <details key={file} className="rules-file">
          <summary>
            <code>{visible(file)}</code>
          </summary>
          {isAdmin && file.endsWith(OWN_FILE) ? (
            <RulesEditor
              text={text}
              onSave={(edited) => done(client.connection.request('console/writeRules', edited))}
            />
          ) : (
            <pre>{visibleLines(text)}</pre>
          )}
        </details>
      ))}
      {files.length === 0 && changed.length === 0 ? <p className="hint">There are no rules.</p> : null}
      {mayAct(connection) ? (
        <LineForm
          label="Allow commands that begin with"
          placeholder="Words of the command, such as npm test"
          button="Allow"
          clears
          onTake={(line) => {
            const prefix = line.split(/\s+/).filter((word) => word !== '');
            done(client.connection.request('console/addRule', { prefix }));
          }}
        />
      ) : null}
    </section>
  );
}

function ChangedFile({ changed: { file, accepted, found } }: { readonly changed: ChangedRules }) {
  return (
    <div className="rules-changed">
      <p>
        <code>{visible(file)}</code> was changed outside the gateway.
      </p>
      <pre>
        {linesOf(accepted, found).map(({ sign, text }, at) => (
          // The index is a stable key, since the lines of a comparison keep their order.
          <span key={String(at)} data-sign={sign}>
            {`${sign} ${text}\n`}
          </span>
        ))}
      </pre>
    </div>
  );
}

interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Returns the lines of a comparison: the common beginning, removed lines, added lines, and the common end. */
function linesOf(accepted: string | null, found: string | null): readonly DiffLine[] {
  const lines = (text: string | null): readonly string[] =>
    // The newline at the end of a file is not an empty line.
    text === null ? [] : visibleLines(text.replace(/\n$/, '')).split('\n');
  const [before, after] = [lines(accepted), lines(found)];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const as = (sign: DiffLine['sign'], texts: readonly string[]): readonly DiffLine[] =>
    texts.map((text) => ({ sign, text }));
  return [
    ...as(' ', before.slice(0, head)),
    ...as('-', before.slice(head, before.length - tail)),
    ...as('+', after.slice(head, after.length - tail)),
    ...as(' ', after.slice(after.length - tail)),
  ];
}

interface RulesEditorProps {
  /** The rules as they are now. */
  readonly text: string;
  readonly onSave: (edited: Edited) => void;
}

interface Edited {
  readonly text: string;
  /** The rules when the person began to edit them. */
  readonly before: string;
}

function RulesEditor({ text, onSave }: RulesEditorProps) {
  const [edited, setEdited] = useState<Edited | null>(null);
  // The edit is over once its text equals the rules, whether it was saved or undone.
  if (edited?.text === text) setEdited(null);
  const isOutdated = edited !== null && edited.before !== text;
  return (
    <div className="rules-editor">
      <textarea
        aria-label="Rules"
        spellCheck={false}
        rows={8}
        value={edited?.text ?? text}
        onChange={({ target }) => setEdited({ text: target.value, before: edited?.before ?? text })}
      />
      {isOutdated ? (
        <p role="status" className="request-note">
          <span>
            The rules have changed since you began to edit them, so your text cannot be saved. Copy what you
            need.
          </span>
          <button type="button" className="secondary" onClick={() => setEdited(null)}>
            Show the current rules
          </button>
        </p>
      ) : null}
      <button
        type="button"
        className="secondary"
        disabled={edited === null || isOutdated}
        onClick={edited === null ? undefined : () => onSave(edited)}
      >
        Save rules
      </button>
    </div>
  );
}
