// A map whose earlier entries are loaded on access; a filter of its keys avoids needless loads.

/** Answers about keys without loading a layer. */
export type KeyFilter = Pick<IdFilter, 'mayHave' | 'with'>

export interface LayersOptions<Value> {
  /** A filter of the keys in the layers. */
  readonly names: KeyFilter
  /** Loaded one after another; the last one has every key. Each returns the same map each time. */
  readonly layers: readonly [() => ReadonlyMap<string, Value>, ...(() => ReadonlyMap<string, Value>)[]]
}

/** Reads as a Map that holds the layers' entries, before the entries that were set. Nothing is deleted from it. */
export class LazyMap<Value> extends Map<string, Value> {
  readonly #names: KeyFilter
  #layers: readonly (() => ReadonlyMap<string, Value>)[]
  /** The layers that are loaded, in order. */
  #loaded: ReadonlyMap<string, Value>[] = []

  constructor({ names, layers }: LayersOptions<Value>) {
    super()
    this.#names = names
    this.#layers = layers
  }

  override get(key: string): Value | undefined {
    const own = super.get(key)
    if (own !== undefined || this.#layers.length === 0) return own
    for (const layer of this.#loaded) {
      const found = layer.get(key)
      if (found !== undefined) return found
    }
    return this.#loaded.length < this.#layers.length && this.#names.mayHave(key) ? this.#findInLayers(key) : undefined
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined
  }

  override get size(): number {
    this.#loadAll()
    return super.size
  }

  override forEach(act: (value: Value, key: string, map: Map<string, Value>) => void, self?: unknown): void {
    this.#loadAll()
    super.forEach(act, self)
  }

  override entries(): MapIterator<[string, Value]> {
    this.#loadAll()
    return super.entries()
  }

  override keys(): MapIterator<string> {
    this.#loadAll()
    return super.keys()
  }

  override values(): MapIterator<Value> {
    this.#loadAll()
    return super.values()
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }

  /** All keys as a filter, without loading a layer. */
  names(): IdFilter {
    return this.#names.with(super.keys())
  }

  /** Returns a value that was set, without loading a layer. */
  protected own(key: string): Value | undefined {
    return super.get(key)
  }

  /** Looks into the layers that are not loaded yet. */
  #findInLayers(key: string): Value | undefined {
    for (const layer of this.#layers.slice(this.#loaded.length)) {
      const values = layer()
      this.#loaded.push(values)
      const found = values.get(key)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Replaces the layers by their entries, in the order of the last layer. */
  #loadAll(): void {
    const whole = this.#layers.at(-1)
    if (whole === undefined) return
    const earlier = whole()
    this.#layers = []
    this.#loaded = []
    const own = [...super.entries()]
    super.clear()
    for (const [key, value] of earlier) super.set(key, value)
    for (const [key, value] of own) super.set(key, value)
  }
}

/**
 * A probabilistic set of ids, 4 bytes each: a negative answer is certain. It confuses two ids about once in 2³² ÷ its
 * size.
 */
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
