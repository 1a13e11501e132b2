// Page shown after a crash, for example when a module can no longer be loaded: the error and how to recover.
import { Component, type ReactNode } from 'react';
import { errorText } from '../../text/error-text.ts';

interface State {
  readonly failure: string | null;
}

export class PageFailure extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: errorText(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <main className="page-failure" role="alert">
        <h1>This page has stopped working</h1>
        <p>{failure}</p>
        <p>This does not affect the processes. The gateway may have been updated: reload the page.</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Reload page
        </button>
      </main>
    );
  }
}
