// Requests whose rules or message field are open, and the request to focus.
import { createStore } from 'zustand/vanilla';
import { showList, showProblem } from '../page/page-store.ts';
import { approvalsStore, isOpen, requestOf } from './approvals-store.ts';

/** Place of a request: a card above the list, or the pane of its row. */
export type RequestPlace = 'card' | 'pane';

export interface Meant {
  readonly id: string;
  readonly place: RequestPlace;
}

interface RequestView {
  /** Request whose rules are shown before they are saved. */
  readonly rule: Meant | null;
  /** Request whose message field is open; a new object each time, so that the field is focused again. */
  readonly message: Meant | null;
  /** Request to focus; a new object each time, so that the same one can be focused again. */
  readonly focus: Meant | null;
}

export const requestView = createStore<RequestView>(() => ({ rule: null, message: null, focus: null }));

export const isMeant = (meant: Meant | null, { id, place }: Meant): boolean =>
  meant?.id === id && meant.place === place;

export const showRule = (rule: Meant | null): void => requestView.setState({ rule });
export const writeMessage = (message: Meant): void => requestView.setState({ message });
export const focusRequest = (focus: Meant): void => requestView.setState({ focus });

/**
 * Goes to this request, or reports that it is no longer waiting; null goes to the first open request. On a phone, this
 * also switches from a pane to the list.
 */
export function goToRequest(id: string | null): void {
  const request = id === null ? approvalsStore.getState().requests.find(isOpen) : requestOf(id);
  if (request) {
    showList();
    focusRequest({ id: request.id, place: 'card' });
  } else if (id !== null) showProblem('This request is no longer waiting.');
}
