// What was made of a list's beginning is found again when the list has grown: with each of its turns a conversation is sent whole.

/** A list's first items, which must never change, and what was made of them. */
interface Beginning<Item extends object, Value> {
  readonly items: readonly Item[]
  readonly value: Value
}

/**
 * Remembers what was made of lists, for as long as their last items are themselves. Of a list that grows, or that goes on and begins
 * otherwise, only the newest is remembered; comparing takes a few nanoseconds an item.
 */
export class KnownBeginnings<Item extends object, Value> {
  readonly #byLast = new WeakMap<Item, Beginning<Item, Value>>()

  /** The longest beginning of this list that is remembered and that is taken. What else ends with one of its later items is forgotten. */
  find(
    list: readonly Item[],
    isTaken: (beginning: Beginning<Item, Value>) => boolean = () => true,
  ): Beginning<Item, Value> | undefined {
    for (let count = list.length; count > 0; count--) {
      const last = list[count - 1]
      const known = last === undefined ? undefined : this.#byLast.get(last)
      if (last === undefined || known === undefined) continue
      if (known.items.length === count && startsWith(list, known.items) && isTaken(known)) return known
      this.#byLast.delete(last)
    }
    return undefined
  }

  /** @param grownFrom is forgotten */
  keep(beginning: Beginning<Item, Value>, grownFrom: Beginning<Item, Value> | undefined): void {
    this.#at(grownFrom, (last) => this.#byLast.delete(last))
    this.#at(beginning, (last) => this.#byLast.set(last, beginning))
  }

  #at(beginning: Beginning<Item, Value> | undefined, act: (last: Item) => void): void {
    const last = beginning?.items.at(-1)
    if (last !== undefined) act(last)
  }
}

function startsWith(list: readonly object[], items: readonly object[]): boolean {
  return items.every((item, index) => item === list[index])
}
