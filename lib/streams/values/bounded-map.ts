// A map with a limit: setting a key beyond the limit removes the oldest one.

/** Holds at most `limit` entries. Setting a key makes it the newest; reading it does not. */
export class BoundedMap<Key extends string | number, Value> extends Map<Key, Value> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (this.size > this.#limit && oldest !== undefined) this.delete(oldest)
    return this
  }
}
