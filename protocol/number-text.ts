// Formats numbers for people, such as the limits in errors.

/** Returns a number with thousands separators, such as `12,345`. */
export const numberText = (value: number): string => value.toLocaleString('en');
