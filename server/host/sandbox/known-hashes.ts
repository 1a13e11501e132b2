// Caches the hashes of whole program files, so that many requests for one program read it once.

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** Maximum number of hashes; beyond it, those cached first are evicted. */
const MOST = 200;
/** Age of a file's last change at which a further change is certain to alter its times, whatever their resolution. */
const SETTLED_MS = 2000;

export class KnownHashes {
  readonly #byFile = new Map<string, string>();

  find(file: FileIdentity): string | null {
    return this.#byFile.get(nameOf(file)) ?? null;
  }

  /**
   * Caches the hash, unless the file has changed too recently. `file`: the identity that the file had before it was
   * read.
   */
  add(file: FileIdentity, sha256: string): void {
    if (Date.now() - Number(file.ctimeNs / 1_000_000n) < SETTLED_MS) return;
    this.#byFile.set(nameOf(file), sha256);
    for (const name of this.#byFile.keys()) {
      if (this.#byFile.size <= MOST) break;
      this.#byFile.delete(name);
    }
  }
}

const nameOf = ({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): string =>
  `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
