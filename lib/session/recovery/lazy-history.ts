// Entries of lines that opening skipped: read and checked in slices, or at once on access.
import { Observable, EMPTY, concat, defer, ignoreElements } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Entry, SessionState } from '../../streams/state/fold-session.ts'
import { LazyMap } from './lazy-map.ts'
import type { KeyFilter } from './lazy-map.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { RunStarter } from '../runs/run-starter.ts'

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

  /** The damage that ended the reading; no entry after it is in the map. */
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
  /** The last line of the snapshot; no run was active after it. */
  readonly snapshotSeq: number
}

/** The entries of a session that was opened at its end. Entries after `snapshotSeq` are set as in every state. */
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

interface VerifyOptions {
  readonly log: SessionLog
  readonly initial: SessionState
  readonly pipeline: Pick<Pipeline, 'write'>
  readonly starter: Pick<RunStarter, 'idle'>
}

/** True if every line is checked, or damage was found. */
export function isVerified({ entries }: SessionState): boolean {
  return !(entries instanceof LazyEntries) || entries.earlier.isComplete
}

/**
 * Checks the lines that opening skipped; damage ends writing once no run is active. Completes when every line is
 * checked and, after damage, when the session takes no more lines.
 */
export function verifyHistory({ log, initial, pipeline, starter }: VerifyOptions): Observable<never> {
  const { entries } = initial
  if (!(entries instanceof LazyEntries)) return EMPTY
  const refuseWrites$ = (failure: Failure) =>
    new Observable<never>((subscriber) => {
      subscriber.add(() => log.condemn?.(failure))
      return pipeline
        .write({ event: warningOf(failure) })
        .pipe(ignoreElements())
        .subscribe(subscriber)
    })
  return concat(
    readInSlices(entries.earlier),
    defer(() => {
      const { failure } = entries.earlier
      return failure === undefined ? EMPTY : concat(starter.idle(), refuseWrites$(failure))
    }),
  )
}

function warningOf({ code, message, data }: Failure): AgentEvent {
  const context = Object.keys(data).length === 0 ? {} : { context: data }
  return { type: 'warning', code, message, ...context, recoverable: false }
}

/** Milliseconds of one slice and of the pause after it: half of the time is left to other work. */
const sliceMs = 3
const pauseMs = 3
/** Milliseconds before the first slice: the opened session works first. */
const firstPauseMs = 30

/** Completes when every line up to damage is read. Cold; does not keep the process alive. */
function readInSlices(earlier: LazyHistory): Observable<never> {
  return new Observable((subscriber) => {
    let timer = schedule(firstPauseMs)
    function work(): void {
      earlier.workUntil(performance.now() + sliceMs)
      if (earlier.isComplete) subscriber.complete()
      else timer = schedule(pauseMs)
    }
    function schedule(milliseconds: number): NodeJS.Timeout {
      return setTimeout(work, milliseconds).unref()
    }
    return () => {
      clearTimeout(timer)
    }
  })
}
