// Options for copying one file without any refusal or early end.
const allow = (): Promise<void> => Promise.resolve();

export const FREE_COPY = {
  recursive: false,
  isOver: () => false,
  refuse: allow,
  refuseSource: allow,
  refuseOpened: allow,
};
