// Announces process events to screen readers; not visible.
import { useEffect, useState } from 'react';
import { followAnnouncements } from '../state/attention/announcements.ts';

export function Announcer() {
  const [announced, setAnnounced] = useState({ text: '', turn: 0 });
  useEffect(() => followAnnouncements((text) => setAnnounced(({ turn }) => ({ text, turn: turn + 1 }))), []);
  return (
    <div aria-live="polite" className="sr-only" data-announcer>
      {/* A new key makes screen readers read an identical text again. */}
      <span key={announced.turn}>{announced.text}</span>
    </div>
  );
}
