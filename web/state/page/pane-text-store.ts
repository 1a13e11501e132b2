// The process whose output is shown as plain text in a full-screen dialog; the text is read when the dialog opens.
import { createStore } from 'zustand/vanilla';

export const paneTextStore = createStore<{ readonly key: string | null }>(() => ({ key: null }));

export const showPaneText = (key: string): void => paneTextStore.setState({ key });
export const hidePaneText = (): void => paneTextStore.setState({ key: null });
