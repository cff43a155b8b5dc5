// A probabilistic set of ids, 4 bytes each: a negative answer is certain.

/** A set of ids. It confuses two ids about once in 2³² ÷ its size. */
export class IdFilter {
  /** Sorted. */
  readonly #sums: Uint32Array

  private constructor(sums: Uint32Array) {
    this.#sums = sums
  }

  static of(names: Iterable<string>): IdFilter {
    return new IdFilter(Uint32Array.from(names, (name) => hashOf(name)).sort())
  }

  /** @param text the result of `toText` */
  static fromText(text: string): IdFilter {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
    return new IdFilter(new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)))
  }

  get size(): number {
    return this.#sums.length
  }

  /** False: the id is certainly not in the set. */
  mayHave(name: string): boolean {
    const sum = hashOf(name)
    let [low, high] = [0, this.#sums.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sums[middle] ?? 0) < sum) low = middle + 1
      else high = middle
    }
    return this.#sums[low] === sum
  }

  with(names: Iterable<string>): IdFilter {
    const more = IdFilter.of(names)
    const sums = new Uint32Array(this.size + more.size)
    sums.set(this.#sums)
    sums.set(more.#sums, this.size)
    return new IdFilter(sums.sort())
  }

  toText(): string {
    const { buffer, byteOffset, byteLength } = this.#sums
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  }
}

/** FNV-1a over the id's UTF-16 units, 32 bits: the core imports no Node module for a hash. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
