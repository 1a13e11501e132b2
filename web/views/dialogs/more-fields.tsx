// Fields of a new process that are needed less often: label, variables, sandbox, exact arguments.
import { ChevronRight } from 'lucide-react';
import { useStore } from 'zustand';
import { SANDBOX_REFUSED } from '../../../protocol/console-constants.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { visible } from '../../../text/visible.ts';
import type { Draft, Model } from '../../state/starting/draft.ts';
import { isSandboxChoice, SANDBOX_CHOICES, type SandboxChoice } from '../../state/starting/sandbox-choice.ts';
import { parseVariables } from '../../state/starting/variables.ts';
import { countedText } from '../../../text/amounts.ts';

const LONGEST_LABEL = 256;
const LONGEST_VARIABLES = 256 * 1024;

interface MoreFieldsProps {
  readonly draft: Draft;
  /** Process to duplicate; undefined for a new command. */
  readonly model: Model | undefined;
  /** True when the person has accepted the gateway's environment because the original's is unknown. */
  readonly hasOwnEnv: boolean;
  readonly isOpen: boolean;
  /** Names of the variables of a recently used command, whose values were not stored. */
  readonly missing: readonly string[];
  readonly onToggle: (isOpen: boolean) => void;
  readonly onChange: (changed: Partial<Draft>) => void;
  readonly onOwnEnv: (isAgreed: boolean) => void;
}

export function MoreFields(props: MoreFieldsProps) {
  const { draft, model, hasOwnEnv, isOpen, missing, onToggle, onChange, onOwnEnv } = props;
  const { variables, problems } = parseVariables(draft.variables);
  const unset = missing.filter((name) => !Object.hasOwn(variables, name));
  return (
    <details className="more" open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={14} aria-hidden="true" />
        <span>More</span>
        <span className="more-set">{summaryOf(draft, Object.keys(variables).length)}</span>
      </summary>
      <div className="more-fields">
        <div className="field">
          <label htmlFor="new-label">Label</label>
          <input
            id="new-label"
            className="plain"
            autoComplete="off"
            maxLength={LONGEST_LABEL}
            placeholder="Name shown in the list"
            value={draft.label}
            onChange={(event) => onChange({ label: event.target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor="new-variables">Environment</label>
          <textarea
            id="new-variables"
            rows={Math.min(8, Math.max(2, draft.variables.split('\n').length))}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            maxLength={LONGEST_VARIABLES}
            placeholder="NAME=value"
            aria-invalid={problems.length > 0}
            aria-describedby="new-variables-hint"
            value={draft.variables}
            onChange={(event) => onChange({ variables: event.target.value })}
          />
          <div id="new-variables-hint" className="hint">
            {problems.map((problem) => (
              <p key={problem} className="field-problem">
                {problem}
              </p>
            ))}
            {unset.length > 0 ? (
              <p className="field-warning">
                The recently used command also had {unset.length === 1 ? 'the variable' : 'the variables'}{' '}
                {unset.map(visible).join(', ')}, but values are not stored.
              </p>
            ) : null}
            <p>
              Added to the variables of {model?.restartable === true ? 'the original' : 'the gateway'}. The
              list of recently used commands stores only the names.
            </p>
          </div>
        </div>
        {model && !model.restartable ? (
          <label className="check">
            <input type="checkbox" checked={hasOwnEnv} onChange={({ target }) => onOwnEnv(target.checked)} />
            Start with the gateway’s environment: the original’s is no longer retained
          </label>
        ) : null}
        <SandboxField draft={draft} model={model} onChange={onChange} />
        <label className="check">
          <input
            type="checkbox"
            checked={draft.isExact}
            onChange={(event) => onChange({ isExact: event.target.checked })}
          />
          Exact argv: no shell, one argument per line
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={!draft.recorded}
            onChange={(event) => onChange({ recorded: !event.target.checked })}
          />
          Do not record the output
        </label>
      </div>
    </details>
  );
}

function SandboxField({ draft, model, onChange }: Pick<MoreFieldsProps, 'draft' | 'model' | 'onChange'>) {
  const reasons = useStore(processStore, (state) => state.gateway.reasons);
  const refused = reasons.find((reason) => reason.startsWith(SANDBOX_REFUSED));
  const { sandbox } = draft;
  const isRestartable = model?.restartable === true;
  const original = model && model.sandbox !== 'none' ? visible(model.sandbox) : null;
  return (
    <div className="field">
      <label htmlFor="new-sandbox">Sandbox</label>
      <select
        id="new-sandbox"
        value={sandbox ?? ''}
        aria-describedby="new-sandbox-hint"
        onChange={({ target: { value } }) => {
          if (value === 'asModel' || isSandboxChoice(value)) onChange({ sandbox: value });
        }}
      >
        {sandbox === null || (sandbox === 'asModel' && !isRestartable) ? (
          <option value={sandbox ?? ''} disabled>
            Choose a sandbox
          </option>
        ) : null}
        {isRestartable ? <option value="asModel">Same as the original</option> : null}
        {Object.entries(SANDBOX_CHOICES).map(([choice, { title }]) => (
          <option key={choice} value={choice}>
            {title}
          </option>
        ))}
      </select>
      <div id="new-sandbox-hint" className="hint">
        {original === null || sandbox === 'asModel' ? null : (
          <p className="field-warning">The original ran in a sandbox: {original}.</p>
        )}
        <p>{aboutOf(sandbox, original)}</p>
        {refused === undefined || sandbox === 'none' ? null : (
          <p className="field-problem" role="alert">
            This gateway cannot start the process in that sandbox. {visible(refused)}
          </p>
        )}
      </div>
    </div>
  );
}

const sandboxTitle = (sandbox: SandboxChoice | 'asModel'): string =>
  sandbox === 'asModel' ? 'Same sandbox as the original' : SANDBOX_CHOICES[sandbox].title;

function aboutOf(sandbox: Draft['sandbox'], original: string | null): string {
  if (sandbox === 'asModel') return original === null ? 'The original had no sandbox.' : `${original}.`;
  return sandbox === null ? 'Choose a sandbox before you start the process.' : SANDBOX_CHOICES[sandbox].about;
}

/** Returns a summary of the values, shown while the fields are folded. */
function summaryOf({ label, sandbox, isExact, recorded }: Draft, variables: number): string {
  return [
    label.trim() === '' ? 'label' : `“${visible(label.trim())}”`,
    variables === 0 ? 'environment' : countedText(variables, 'variable'),
    sandbox === 'none' || sandbox === null ? 'sandbox' : sandboxTitle(sandbox).toLowerCase(),
    isExact ? 'exact argv' : '',
    recorded ? '' : 'not recorded',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
