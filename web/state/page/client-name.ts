// Client name that pages send to the gateway.
export const PAGE_CLIENT_NAME = 'exec-console page';
