// Keys of the pages signed in with this browser, stored as non-extractable: not even this page can read them.

export interface PageKeys {
  /** Private signing key; cannot be exported. */
  readonly privateKey: CryptoKey;
  /** Key that verifies the gateway's responses; cannot be exported. */
  readonly gatewayKey: CryptoKey;
}

const DATABASE = 'exec-console';
const STORE = 'keys';

/** Keys that the browser could not store, for the lifetime of the page. */
const unstored = new Map<string, PageKeys>();

export async function readKeys(id: string): Promise<PageKeys | null> {
  return (
    unstored.get(id) ?? (await inStore<PageKeys | undefined>('readonly', (store) => store.get(id))) ?? null
  );
}

export async function writeKeys(id: string, keys: PageKeys): Promise<void> {
  unstored.set(id, keys);
  if ((await inStore('readwrite', (store) => store.put(keys, id))) !== null) unstored.delete(id);
}

export async function removeKeys(id: string): Promise<void> {
  unstored.delete(id);
  await inStore('readwrite', (store) => store.delete(id));
}

/** Runs a request on the store; resolves to null when it fails. */
async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<T | null> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
    const database = (await settled(opening)) as IDBDatabase;
    try {
      return (await settled(act(database.transaction(STORE, mode).objectStore(STORE)))) as T;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

const settled = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('the browser cannot store keys')));
  });
