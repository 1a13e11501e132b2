// Browser notification settings: whether to notify, and for which reasons.
import { useState } from 'react';
import { useStore } from 'zustand';
import { CAUSES, type Cause } from '../state/attention/cause.ts';
import { chooseButtons, choices, choose, turnOff, turnOn } from '../state/attention/choices.ts';
import { buttonsWorker } from '../state/attention/notification-buttons.ts';
import { whyNoButtons } from '../state/attention/worker-registration.ts';
import { visible } from '../../text/visible.ts';

const WORDS: { readonly [cause in Cause]: string } = {
  approval: 'an agent asks for approval',
  failed: 'a process fails',
  waits: 'a process is waiting for input',
  notification: 'a program sends a notification',
  ended: 'a process ends',
  bell: 'a terminal bell rings',
};

export function NotificationChoices() {
  const { isOn, causes } = useStore(choices);
  const [isDenied, setDenied] = useState(false);
  const toggle = (isWanted: boolean): void => {
    if (isWanted) void turnOn().then((outcome) => setDenied(outcome === 'denied'));
    else turnOff();
  };
  return (
    <fieldset className="notification-choices">
      <legend>When this tab is in the background</legend>
      <label className="settings-check">
        <input type="checkbox" checked={isOn} onChange={(event) => toggle(event.target.checked)} />
        Browser notifications when …
      </label>
      {isDenied ? (
        <p role="alert" className="hint">
          The browser blocks notifications from this page. Allow them in its settings for this site.
        </p>
      ) : null}
      <div className="notification-causes">
        {CAUSES.map((cause) => (
          <label key={cause} className="settings-check">
            <input
              type="checkbox"
              checked={causes.includes(cause)}
              disabled={!isOn}
              onChange={(event) => choose(cause, event.target.checked)}
            />
            {WORDS[cause]}
          </label>
        ))}
      </div>
      <ButtonsChoice isOn={isOn} />
    </fieldset>
  );
}

function ButtonsChoice({ isOn }: { readonly isOn: boolean }) {
  const hasButtons = useStore(choices, (state) => state.hasButtons);
  const problem = useStore(buttonsWorker, (state) => state.problem);
  const why = whyNoButtons();
  return (
    <>
      <label className="settings-check">
        <input
          type="checkbox"
          aria-describedby="settings-buttons"
          checked={hasButtons && why === null}
          disabled={!isOn || why !== null}
          onChange={(event) => chooseButtons(event.target.checked)}
        />
        Buttons in notifications
      </label>
      <p id="settings-buttons" className="hint notification-hint">
        {why ??
          'Adds Approve once (for short commands, otherwise Show) and Decline to notifications of requests. This installs a service worker, which stays in this browser, even after the gateway has ended, until you turn the buttons off here. The worker forwards a click to an open page, which sends the decision.'}
      </p>
      {problem === null ? null : (
        <p role="alert" className="hint notification-hint">
          Problem with notification buttons: {visible(problem)}.
        </p>
      )}
    </>
  );
}
