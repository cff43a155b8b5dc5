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

  /** A complete history: opening has read every line. @param entries returns the same map each time */
  static of(entries: () => ReadonlyMap<string, Entry>): LazyHistory {
    const earlier = new LazyHistory(noEntries)
    earlier.#all = entries
    earlier.#isComplete = true
    return earlier
  }

  /** True if every line is read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The damage that ended the reading; no entry behind it is in the map. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Reads until that time (of `performance.now()`), or to the end. */
  workUntil(time: number): void {
    while (!this.#isComplete) {
      this.#step()
      if (performance.now() >= time) return
    }
  }

  /** Reads the rest and returns all entries up to damage, in the order of the log; the same map each time. */
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

function* noEntries(): Generator<readonly Entry[], void> {}

interface LazyEntriesOptions {
  /** A filter of the ids of all entries up to `snapshotSeq`. */
  readonly names: KeyFilter
  /** Returns the entries of the model's context, with their messages; called on the first access to one. */
  context(): ReadonlyMap<string, Entry>
  /** All entries of those lines. */
  readonly earlier: LazyHistory
  /** The last line of the snapshot; no run was on behind it. */
  readonly snapshotSeq: number
}

/** The entries of a session that was opened at its end. Entries behind `snapshotSeq` are set as in every state. */
export class LazyEntries extends LazyMap<Entry> {
  readonly earlier: LazyHistory
  readonly snapshotSeq: number

  constructor({ names, context, earlier, snapshotSeq }: LazyEntriesOptions) {
    let read: ReadonlyMap<string, Entry> | undefined
    super({ names, layers: [() => (read ??= context()), () => earlier.all()] })
    this.earlier = earlier
    this.snapshotSeq = snapshotSeq
  }

  /** The entries as nodes of a tree, if possible without loading the context's messages. */
  get nodes(): Pick<SessionState['entries'], 'get'> {
    if (!this.earlier.isComplete) return this
    const earlier = this.earlier.all()
    return { get: (entryId) => this.own(entryId) ?? earlier.get(entryId) }
  }
}
