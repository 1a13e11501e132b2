// The name by which pages introduce themselves to the gateway.
export const PAGE_CLIENT_NAME = 'exec-console page';
