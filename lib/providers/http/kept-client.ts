// A client is made with the first request and serves until the key changes; one that could not be made is made anew.

/** `make` is called again where the key differs from the last one, and after a rejection. */
export function keptClient<Client>(
  make: (key: string | undefined) => Promise<Client>,
): (key: string | undefined) => Promise<Client> {
  let kept: { readonly key: string | undefined; readonly client: Promise<Client> } | undefined
  return (key) => {
    if (kept?.key !== key || kept === undefined) {
      const made = { key, client: make(key) }
      kept = made
      made.client.catch(() => {
        if (kept === made) kept = undefined
      })
    }
    return kept.client
  }
}
