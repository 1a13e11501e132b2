// Notes below a new link: a QR code or, if only the gateway's machine can open it, instructions for other machines.
import { useEffect, useState } from 'react';
import { linkReach } from '../../state/page/link-reach.ts';
import { SecretLine } from './secret-line.tsx';

/** URL of the documentation, which is part of the build, so that it works offline and matches this version. */
const REMOTE_DOCS = new URL('../../../docs/tasks/open-from-elsewhere.md', import.meta.url).href;

export function LinkNotes({ url }: { readonly url: string }) {
  const reach = linkReach(url);
  if (reach?.kind !== 'machine') return reach && <QrCode text={url} />;
  return (
    <section className="link-notes" aria-labelledby="link-reach">
      <h3 id="link-reach">Other machines can’t open this link directly</h3>
      <p>
        On each machine, <code>{reach.host}</code> means that machine itself, so the link opens only on the
        gateway’s machine, or through a tunnel to it. From elsewhere, use one of these:
      </p>
      <SecretLine
        label="Tunnel: run this on the other machine"
        copies="the tunnel command"
        text={reach.tunnel}
      />
      <SecretLine
        label="Reverse proxy with TLS: restart the gateway with this flag"
        copies="the flag"
        text="--public-url https://HOST/"
      />
      <p className="hint">
        To restart the gateway without ending its processes, start a second gateway with the same state folder
        while the first one runs: the second one takes over. Ctrl-C ends the processes. A tunnel needs no
        restart.
      </p>
      <p className="hint">
        More ways, with examples for ssh and TLS:{' '}
        <a href={REMOTE_DOCS} target="_blank" rel="noopener noreferrer">
          docs/tasks/open-from-elsewhere.md
        </a>
      </p>
    </section>
  );
}

/** Width of the empty margin that the QR standard requires around a code, in modules: the squares of the code. */
const QUIET = 4;

/** QR code, drawn once its library has loaded; the link works without it. */
function QrCode({ text }: { readonly text: string }) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    import('qr').then(
      ({ default: encodeQR }) => {
        if (isWanted) setRows(encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' }));
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (rows === null) return <div className="qr-code" aria-hidden="true" />;
  const dark = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <figure className="qr-figure">
      <svg
        className="qr-code"
        role="img"
        aria-label="QR code of the link"
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shapeRendering="crispEdges"
      >
        <path d={dark} />
      </svg>
      <figcaption className="hint">Scan it with a phone that can reach this gateway.</figcaption>
    </figure>
  );
}
