// A key is told from another by its last four characters, where so few of so many tell nothing else.

const shortest = 20

/** `tail`: the end of a key of 20 characters or more; nothing for a shorter one. */
export function keyTail(key: string): { readonly tail?: string } {
  return key.length < shortest ? {} : { tail: `…${key.slice(-4)}` }
}
