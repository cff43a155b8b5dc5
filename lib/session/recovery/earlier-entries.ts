// The entries of lines that opening did not look at: found, and their lines checked, bit by bit or at once when somebody asks.
import { Failure } from '../../streams/values/failure.ts'
import type { Entry } from '../../streams/state/fold-session.ts'

export class EarlierEntries {
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
  static of(entries: () => ReadonlyMap<string, Entry>): EarlierEntries {
    const earlier = new EarlierEntries(none)
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

  /** All of them, up to damage where there is any, in the order of the log; the same map each time. */
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
