// Keeps what extensions registered of one kind, in the order of priority.
import { Observable, Subject } from 'rxjs'
import type { Registration } from '../api/extension-api.ts'

export interface Entry<Value> {
  /** The name of the extension. */
  readonly owner: string
  readonly value: Value
  readonly priority: number
  /** Emits when the extension is unloaded; what waits for the entry then goes on without it. */
  readonly end$: Observable<unknown>
}

/** The entries are an array that is never changed: a reader may hold it while entries come and go. */
export interface Registry<Value> {
  /** The highest priority first; of equal ones the first that was added. */
  readonly entries: readonly Entry<Value>[]
  /** Emits after each change. Buffers nothing. */
  readonly changed$: Observable<void>
  add(entry: Entry<Value>): Registration
}

export function registry<Value>(): Registry<Value> {
  const changed$ = new Subject<void>()
  let entries: readonly Entry<Value>[] = []
  return {
    get entries() {
      return entries
    },
    changed$: new Observable((subscriber) => changed$.subscribe(subscriber)),
    add: (entry) => {
      const after = entries.findIndex(({ priority }) => priority < entry.priority)
      entries = after === -1 ? [...entries, entry] : entries.toSpliced(after, 0, entry)
      changed$.next()
      return {
        unregister: () => {
          if (!entries.includes(entry)) return
          entries = entries.filter((each) => each !== entry)
          changed$.next()
        },
      }
    },
  }
}
