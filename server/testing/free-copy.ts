// Options of a copy of one file that nothing refuses or ends.
const allow = (): Promise<void> => Promise.resolve();

export const FREE_COPY = {
  recursive: false,
  isOver: () => false,
  refuse: allow,
  refuseSource: allow,
  refuseOpened: allow,
};
