// Says to screen readers what ended; nobody sees it.
import { useEffect, useState } from 'react';
import { followEndings } from './endings.ts';

export function Announcer() {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  useEffect(() => followEndings((text) => setSaid(({ turn }) => ({ text, turn: turn + 1 }))), []);
  return (
    <div aria-live="polite" className="sr-only" data-announcer>
      {/* The same again is news again. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}
