// What keyboards are called where this page runs.
export const isMac = navigator.platform.startsWith('Mac');
