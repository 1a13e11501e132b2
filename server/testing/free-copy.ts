// Options for a copy of one file; the copy is never refused or cancelled.
const allow = (): Promise<void> => Promise.resolve();

export const FREE_COPY = {
  recursive: false,
  isOver: () => false,
  refuse: allow,
  refuseSource: allow,
  refuseOpened: allow,
};
