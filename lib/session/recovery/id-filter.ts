// A probabilistic set of ids, 4 bytes each: a negative answer is certain.

/** A set of ids. It confuses two ids about once in 2³² ÷ its size. */
export class IdFilter {
  /** Sorted. */
  readonly #hashes: Uint32Array

  private constructor(hashes: Uint32Array) {
    this.#hashes = hashes
  }

  static of(ids: Iterable<string>): IdFilter {
    return new IdFilter(Uint32Array.from(ids, (id) => hashOf(id)).sort())
  }

  /** @param text the result of `toText` */
  static fromText(text: string): IdFilter {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
    return new IdFilter(new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)))
  }

  get size(): number {
    return this.#hashes.length
  }

  /** False: the id is certainly not in the set. */
  mayHave(id: string): boolean {
    const hash = hashOf(id)
    let [low, high] = [0, this.#hashes.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#hashes[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    return this.#hashes[low] === hash
  }

  with(ids: Iterable<string>): IdFilter {
    const more = IdFilter.of(ids)
    const hashes = new Uint32Array(this.size + more.size)
    hashes.set(this.#hashes)
    hashes.set(more.#hashes, this.size)
    return new IdFilter(hashes.sort())
  }

  toText(): string {
    const { buffer, byteOffset, byteLength } = this.#hashes
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  }
}

/** FNV-1a over the id's UTF-16 units, 32 bits: the core imports no Node module for a hash. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
