// How an agent is connected to this gateway, to be copied.
import { Copy } from 'lucide-react';
import { copyText } from './copy.ts';
import { IconButton } from './icon-button.tsx';

export function ConnectLine() {
  const { protocol, host, pathname } = location;
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname.replace(/[^/]*$/, '')}?token=TOKEN`;
  const line = `CODEX_EXEC_SERVER_URL='${url}' codex`;
  return (
    <>
      <div className="connect-line">
        <pre>{line}</pre>
        <IconButton icon={Copy} label="Copy the line" onClick={() => void copyText(line)} />
      </div>
      <p className="hint">
        The gateway printed this line when it started, with the agent’s token in the place of TOKEN.
      </p>
    </>
  );
}
