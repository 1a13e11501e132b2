// Dialog with the settings of this browser, which apply immediately, also to open terminals, and with those of the
// gateway.
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { capitalized } from '../../../text/capitalized.ts';
import { chooseTheme, THEME_CHOICES, themeStore } from '../../state/page/theme-store.ts';
import { BELLS, CURSORS, FONT_SIZE, SCROLLBACK, type Settings } from '../../state/page/settings.ts';
import { backToUsual, change, settingsStore } from '../../state/page/settings-store.ts';
import { useModal } from '../../parts/modal.tsx';
import { NotificationChoices } from '../../parts/notification-choices.tsx';

const NO_NAME = /[^\p{L}\p{N} ._-]/gu;
const FONTS = [
  'Fira Code',
  'Cascadia Code',
  'Source Code Pro',
  'Menlo',
  'Consolas',
  'DejaVu Sans Mono',
  'Ubuntu Mono',
];

interface SettingsDialogProps {
  /** Rows with settings of the gateway. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function SettingsDialog({ children, onClose }: SettingsDialogProps) {
  const dialog = useModal();
  const settings = useStore(settingsStore);
  const theme = useStore(themeStore, (state) => state.choice);
  return (
    <dialog ref={dialog} className="dialog tall settings" aria-labelledby="settings-title" onClose={onClose}>
      <h2 id="settings-title">Settings</h2>
      <p className="hint">
        Saved in this browser. The font and its size also resize the terminals that you control.
      </p>
      <Choice name="Theme" choices={THEME_CHOICES} chosen={theme} onChoose={chooseTheme} />
      <Row label="Font" htmlFor="settings-font">
        <input
          id="settings-font"
          list="settings-fonts"
          placeholder="JetBrains Mono"
          spellCheck={false}
          autoComplete="off"
          value={settings.fontFamily}
          // Removes characters that a font name must not contain, such as quotes.
          onChange={({ target }) => change({ fontFamily: target.value.replaceAll(NO_NAME, '') })}
        />
        <datalist id="settings-fonts">
          {FONTS.map((font) => (
            <option key={font} value={font} />
          ))}
        </datalist>
      </Row>
      <NumberRow
        label="Font size"
        unit="px"
        bounds={FONT_SIZE}
        step={1}
        name="fontSize"
        settings={settings}
      />
      <NumberRow
        label="Scrollback"
        unit="lines"
        bounds={SCROLLBACK}
        step={1000}
        name="scrollback"
        settings={settings}
      />
      <Choice
        name="Cursor"
        choices={CURSORS}
        chosen={settings.cursorStyle}
        onChoose={(cursorStyle) => change({ cursorStyle })}
      />
      <Row label="Blinking cursor" htmlFor="settings-blink">
        <input
          id="settings-blink"
          type="checkbox"
          checked={settings.cursorBlink}
          onChange={(event) => change({ cursorBlink: event.target.checked })}
        />
      </Row>
      <Choice name="Bell" choices={BELLS} chosen={settings.bell} onChoose={(bell) => change({ bell })} />
      <NotificationChoices />
      <p className="settings-sample" aria-hidden="true" style={SAMPLE_STYLE}>
        ~/shop $ npm test {'->'} 24 passed <span className={`settings-cursor ${settings.cursorStyle}`} />
      </p>
      {children}
      <div className="dialog-buttons">
        <button
          type="button"
          className="secondary"
          onClick={() => {
            backToUsual();
            chooseTheme('system');
          }}
        >
          Reset appearance and sound
        </button>
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          Done
        </button>
      </div>
    </dialog>
  );
}

const SAMPLE_STYLE = { fontFamily: 'var(--terminal-font)', fontSize: 'var(--terminal-size)' };

interface RowProps {
  readonly label: string;
  readonly htmlFor: string;
  readonly children: ReactNode;
}

function Row({ label, htmlFor, children }: RowProps) {
  return (
    <div className="settings-row">
      <label htmlFor={htmlFor}>{label}</label>
      <span className="settings-value">{children}</span>
    </div>
  );
}

interface NumberRowProps {
  readonly label: string;
  readonly unit: string;
  readonly bounds: { readonly least: number; readonly most: number };
  readonly step: number;
  readonly name: 'fontSize' | 'scrollback';
  readonly settings: Settings;
}

/** Number field that applies its value on Enter or blur: the 2 at the start of 20000 would already evict lines. */
function NumberRow({ label, unit, bounds: { least, most }, step, name, settings }: NumberRowProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const id = `settings-${name}`;
  const take = (): void => {
    if (typed !== null && typed !== '') change({ [name]: Number(typed) });
    setTyped(null);
  };
  return (
    <Row label={label} htmlFor={id}>
      <input
        id={id}
        type="number"
        min={least}
        max={most}
        step={step}
        value={typed ?? settings[name]}
        onChange={({ target: { value } }) => setTyped(value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take();
        }}
        onBlur={take}
      />
      <span className="settings-unit">{unit}</span>
    </Row>
  );
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly choices: readonly T[];
  readonly chosen: T;
  readonly onChoose: (choice: T) => void;
}

function Choice<T extends string>({ name, choices, chosen, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="settings-row">
      <legend>{name}</legend>
      <span className="settings-value segments">
        {choices.map((choice) => (
          <label key={choice} className="segment">
            <input
              type="radio"
              name={`settings-${name}`}
              checked={choice === chosen}
              onChange={() => onChoose(choice)}
            />
            <span>{capitalized(choice)}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
