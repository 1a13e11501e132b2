// The person's choice of the causes that notify them while they are not viewing the page.
import { createStore } from 'zustand/vanilla';
import { onStoredByOthers, readStored, writeStored } from '../page/storage.ts';
import { CAUSES, type Cause } from './cause.ts';

export interface Choices {
  /** True when browser notifications are on; the browser asks for permission first. */
  readonly isOn: boolean;
  readonly causes: readonly Cause[];
  /** True when the person wants buttons in notifications, which need a service worker. */
  readonly hasButtons: boolean;
}

const STORED = 'exec-console.notifications';
/** Version of the stored choices; older ones have none, and get approval requests as an additional cause. */
const VERSION = 2;
const USUAL: Choices = {
  isOn: false,
  causes: ['approval', 'failed', 'waits', 'notification'],
  hasButtons: false,
};

export const choices = createStore<Choices>(() => readStored(STORED, parseChoices));
choices.subscribe((chosen) => writeStored(STORED, { ...chosen, version: VERSION }));
onStoredByOthers(STORED, () => choices.setState(readStored(STORED, parseChoices)));

export function parseChoices(value: unknown): Choices {
  if (typeof value !== 'object' || value === null) return USUAL;
  const { isOn, causes, hasButtons, version } = value as Partial<Record<keyof Choices | 'version', unknown>>;
  if (!Array.isArray(causes)) return USUAL;
  const isWanted = (cause: Cause): boolean =>
    causes.includes(cause) || (cause === 'approval' && version !== VERSION);
  return { isOn: isOn === true, causes: CAUSES.filter(isWanted), hasButtons: hasButtons === true };
}

export function choose(cause: Cause, isWanted: boolean): void {
  choices.setState(({ causes }) => ({
    causes: CAUSES.filter((each) => (each === cause ? isWanted : causes.includes(each))),
  }));
}

/**
 * Turns notifications on if the browser permits them, otherwise off. Resolves to `denied` when the person did not
 * grant permission or the browser does not support notifications.
 */
export async function turnOn(): Promise<'on' | 'denied'> {
  const permission = 'Notification' in window ? await Notification.requestPermission() : 'denied';
  choices.setState({ isOn: permission === 'granted' });
  return permission === 'granted' ? 'on' : 'denied';
}

export const chooseButtons = (hasButtons: boolean): void => choices.setState({ hasButtons });

export const turnOff = (): void => choices.setState({ isOn: false });
