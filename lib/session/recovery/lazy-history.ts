// Entries of lines that opening skipped: read and checked in slices, or at once on access.
import { Failure } from '../../streams/values/failure.ts'
import type { Entry, SessionState } from '../../streams/state/fold-session.ts'
import { LazyMap } from './lazy-map.ts'
import type { KeyFilter } from './lazy-map.ts'

export class LazyHistory {
  readonly #entries = new Map<string, Entry>()
  #all = (): ReadonlyMap<string, Entry> => this.#entries
  readonly #read: () => Generator<readonly Entry[], void>
  #steps: Generator<readonly Entry[], void> | undefined
  #isComplete = false
  #failure: Failure | undefined

  /** @param read see `SessionLog.earlier` */
  constructor(read: () => Generator<readonly Entry[], void>) {
    this.#read = read
  }

  /** All of them are there: opening has looked at every line. @param entries gives the same map each time */
  static of(entries: () => ReadonlyMap<string, Entry>): LazyHistory {
    const earlier = new LazyHistory(none)
    earlier.#all = entries
    earlier.#isComplete = true
    return earlier
  }

  /** Nothing is left to look at. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Why not all of them could be read; nothing behind the damage is among them. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Goes on until that time (of `performance.now()`), or to the end. */
  workUntil(time: number): void {
    while (!this.#isComplete) {
      this.#step()
      if (performance.now() >= time) return
    }
  }

  /** All of them, up to damage if there is any, in the order of the log; the same map each time. */
  all(): ReadonlyMap<string, Entry> {
    this.workUntil(Infinity)
    return this.#all()
  }

  #step(): void {
    try {
      this.#steps ??= this.#read()
      const step = this.#steps.next()
      if (step.done === true) this.#isComplete = true
      else for (const entry of step.value) this.#entries.set(entry.entryId, entry)
    } catch (thrown) {
      this.#failure = Failure.from(thrown, 'storage')
      this.#isComplete = true
    }
  }
}

function* none(): Generator<readonly Entry[], void> {}

// The entries of a session that was opened at its end: the context's are read in one go, the others stay in the log until somebody asks.

interface LazyEntriesOptions {
  /** Of the entries of all lines up to `keptSeq`. */
  readonly names: KeyFilter
  /** The entries that the model is told of, with their messages; read when one of them is asked for. */
  context(): ReadonlyMap<string, Entry>
  /** All entries of those lines. */
  readonly earlier: LazyHistory
  /** The last line that was not folded whole; no run was on behind it. */
  readonly snapshotSeq: number
}

/** Those behind the line `keptSeq` are set, as in every state. */
export class LazyEntries extends LazyMap<Entry> {
  readonly earlier: LazyHistory
  readonly snapshotSeq: number

  constructor({ names, context, earlier, snapshotSeq }: LazyEntriesOptions) {
    let read: ReadonlyMap<string, Entry> | undefined
    super({ names, layers: [() => (read ??= context()), () => earlier.all()] })
    this.earlier = earlier
    this.snapshotSeq = snapshotSeq
  }

  /** The entries as nodes of a tree, of which the messages are not looked at: without reading the context for it, where that can be. */
  get nodes(): Pick<SessionState['entries'], 'get'> {
    if (!this.earlier.isComplete) return this
    const earlier = this.earlier.all()
    return { get: (entryId) => this.own(entryId) ?? earlier.get(entryId) }
  }
}
