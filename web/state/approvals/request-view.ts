// State of the controls of requests: open rules and message fields, drafts, and the request to focus.
import { createStore } from 'zustand/vanilla';
import { showList, showProblem } from '../page/page-store.ts';
import { approvalsStore, isOpen, requestOf } from './approvals-store.ts';

/** Place of a request: a card above the list, or the pane of its row. */
export type RequestPlace = 'card' | 'pane';

export interface Meant {
  readonly id: string;
  readonly place: RequestPlace;
}

/** A person's entries for a request, which apply to its next decision, by button or by key. */
export interface Draft {
  /** Message to the agent, for declining or aborting. */
  readonly message: string;
  /** True when identical requests are decided, too. */
  readonly areAllMeant: boolean;
}

interface RequestView {
  /** Request whose rules are shown before they are saved. */
  readonly rule: Meant | null;
  /** Request whose message field is open; a new object each time, so that the field is focused again. */
  readonly message: Meant | null;
  /** Request to focus; a new object each time, so that the same one can be focused again. */
  readonly focus: Meant | null;
  /** Drafts by place and id, while the controls of their requests are shown. */
  readonly drafts: { readonly [of: string]: Draft };
}

export const requestView = createStore<RequestView>(() => ({
  rule: null,
  message: null,
  focus: null,
  drafts: {},
}));

export const isMeant = (meant: Meant | null, { id, place }: Meant): boolean =>
  meant?.id === id && meant.place === place;

const NO_DRAFT: Draft = { message: '', areAllMeant: false };
export const keyOf = ({ id, place }: Meant): string => `${place} ${id}`;

export const draftOf = ({ drafts }: Pick<RequestView, 'drafts'>, meant: Meant): Draft =>
  drafts[keyOf(meant)] ?? NO_DRAFT;

export function changeDraft(meant: Meant, changed: Partial<Draft>): void {
  requestView.setState((state) => ({
    drafts: { ...state.drafts, [keyOf(meant)]: { ...draftOf(state, meant), ...changed } },
  }));
}

export function dropDraft(meant: Meant): void {
  requestView.setState(({ drafts }) => ({
    drafts: Object.fromEntries(Object.entries(drafts).filter(([of]) => of !== keyOf(meant))),
  }));
}

export const showRule = (rule: Meant | null): void => requestView.setState({ rule });
export const writeMessage = (message: Meant): void => requestView.setState({ message });
export const focusRequest = (focus: Meant): void => requestView.setState({ focus });

/**
 * Goes to this request if the page still shows it, or reports that it is no longer waiting; null goes to the first
 * open request, if any. On a phone, this also switches from a pane to the list.
 */
export function goToRequest(id: string | null): void {
  const request = id === null ? approvalsStore.getState().requests.find(isOpen) : requestOf(id);
  if (request) {
    showList();
    focusRequest({ id: request.id, place: 'card' });
  } else if (id !== null) showProblem('This request is no longer waiting.');
}
