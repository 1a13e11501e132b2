// Converts between base64 and bytes, and concatenates bytes.

interface NativeBase64 {
  readonly fromBase64?: (text: string) => Uint8Array;
}
interface WithToBase64 {
  readonly toBase64?: () => string;
}
// These functions are declared here because the client's tsconfig includes neither the DOM's nor Node's types.
declare function atob(text: string): string;
declare function btoa(binary: string): string;

const native = Uint8Array as unknown as NativeBase64;

/** Decodes base64; throws when `text` cannot be decoded. */
export function fromBase64(text: string): Uint8Array {
  if (native.fromBase64) return native.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Maximum number of arguments of one call, low enough for every engine. */
const SPREAD = 8192;

/** Returns standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const { toBase64: encode } = bytes as WithToBase64;
  if (encode) return encode.call(bytes);
  let binary = '';
  for (let i = 0; i < bytes.length; i += SPREAD) {
    binary += String.fromCharCode(...bytes.subarray(i, i + SPREAD));
  }
  return btoa(binary);
}

/** Concatenates the parts; a single part is returned itself, without a copy. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
