// Keys of a command, shown as key caps.
import { Fragment } from 'react';
import { isMac } from '../../state/page/platform.ts';
import { capsOf, strokesOf } from '../../commands/key-bindings.ts';

export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className="key-caps">
      {strokesOf(keys).map((stroke, index) => (
        // A key may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {capsOf(stroke, isMac).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
