// Holds the runs that MCP clients started, across the requests in which one run asks and goes on.
// Guarantees: a run without a request is answered for after a time; closing aborts every run.
import { BehaviorSubject, EMPTY, Subject, catchError, filter, map, takeWhile, timer } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { followRun } from './agent-run.ts'
import type { Question, RunRequest, RunStep } from './agent-run.ts'

export type LastStep = Extract<RunStep, { type: 'end' | 'handled' }>

/** Why a run waits for its client, or how it ended. */
export type Pause =
  | { readonly type: 'questions'; readonly questions: readonly Question[] }
  | { readonly type: 'over'; readonly last: LastStep }
  | { readonly type: 'failed'; readonly failure: Failure }

export interface RunProgress {
  readonly count: number
  readonly text: string
}

export interface OpenRun {
  readonly id: string
  readonly session: string
  /** Numbered lines about what the run does, from 1; nothing is buffered. */
  readonly progress$: Observable<RunProgress>
  /** Emits when the run asks, has ended or failed: the present pause first. Completes after an end. */
  readonly pause$: Observable<Pause>
  /** Answers a question that is open; another one is ignored. */
  answer(requestId: string, outcome: unknown, text?: string): void
  /** A request takes the run up, until its `release`: in between, questions wait for a limited time. */
  hold(): () => void
  /** Stops the run. */
  abort(): void
}

export interface RunHub {
  /** @throws Failure `busy` if the session has a run of this hub, `overloaded` if too many are open */
  start(request: RunRequest): OpenRun
  find(id: string): OpenRun | undefined
  /** Sessions with a run. */
  sessions(): readonly string[]
  close(): void
}

const mostRuns = 16
/** Milliseconds for a client to come back with the answer to a question. */
const answerLimit = 600_000

export function createRunHub(client: Pick<Client, 'events$' | 'request'>, waitMs = answerLimit): RunHub {
  const runs = new Map<string, HeldRun>()
  const start = (request: RunRequest): OpenRun => {
    const { session } = request
    if ([...runs.values()].some((run) => run.session === session))
      throw new Failure('busy', `The session ${session} has a run; wait for its end`)
    if (runs.size >= mostRuns) throw new Failure('overloaded', `${mostRuns} runs are open; wait for the end of one`)
    const run = new HeldRun(client, request, { waitMs, onEnd: (id) => runs.delete(id) })
    if (!run.isOver) runs.set(run.id, run)
    return run
  }
  return {
    start,
    find: (id) => runs.get(id),
    sessions: () => [...runs.values()].map(({ session }) => session),
    close: () => {
      for (const run of [...runs.values()]) run.close()
    },
  }
}

interface RunOptions {
  readonly waitMs: number
  onEnd(id: string): void
}

interface RunState {
  readonly questions: readonly Question[]
  readonly end?: Pause
}

class HeldRun implements OpenRun {
  readonly id = crypto.randomUUID()
  readonly session: string
  readonly #client: Pick<Client, 'events$' | 'request'>
  readonly #options: RunOptions
  readonly #progress$ = new Subject<RunProgress>()
  readonly #state$ = new BehaviorSubject<RunState>({ questions: [] })
  readonly #following: Subscription
  #waiting: Subscription | undefined
  #holders = 0
  #count = 0

  constructor(client: Pick<Client, 'events$' | 'request'>, request: RunRequest, options: RunOptions) {
    this.session = request.session
    this.#client = client
    this.#options = options
    this.#following = followRun(client, request).subscribe({
      next: (step) => {
        this.#take(step)
      },
      error: (error: unknown) => {
        this.#end({ type: 'failed', failure: Failure.from(error) })
      },
    })
  }

  get progress$(): Observable<RunProgress> {
    return this.#progress$
  }

  get pause$(): Observable<Pause> {
    return this.#state$.pipe(
      filter(({ questions, end }) => end !== undefined || questions.length > 0),
      map(({ questions, end }): Pause => end ?? { type: 'questions', questions }),
      takeWhile(({ type }) => type === 'questions', true),
    )
  }

  get isOver(): boolean {
    return this.#state$.value.end !== undefined
  }

  answer(requestId: string, outcome: unknown, text?: string): void {
    const { questions } = this.#state$.value
    if (!questions.some((each) => each.requestId === requestId)) return
    this.#settle(requestId)
    const words = text === undefined || text === '' ? {} : { text }
    this.#client
      .request({ type: 'ui_response', session: this.session, requestId, outcome, ...words })
      .pipe(catchError(() => EMPTY)) // another client was first, or the run has ended
      .subscribe()
  }

  hold(): () => void {
    this.#holders += 1
    this.#waitForClient()
    return () => {
      this.#holders -= 1
      this.#waitForClient()
    }
  }

  abort(): void {
    this.#client
      .request({ type: 'abort', session: this.session })
      .pipe(catchError(() => EMPTY)) // it has ended by itself
      .subscribe()
  }

  /** Ends the run with the hub. */
  close(): void {
    this.#following.unsubscribe()
    const message = 'rxpi mcp serve has ended; continue the session later'
    this.#end({ type: 'failed', failure: new Failure('disconnected', message) })
  }

  #take(step: RunStep): void {
    const { questions } = this.#state$.value
    if (step.type === 'progress') this.#progress$.next({ count: (this.#count += 1), text: step.text })
    else if (step.type === 'question') {
      this.#state$.next({ questions: [...questions, step.question] })
      if (this.#waiting === undefined) this.#waitForClient()
    } else if (step.type === 'resolved') this.#settle(step.requestId)
    else this.#end({ type: 'over', last: step })
  }

  #settle(requestId: string): void {
    const { questions } = this.#state$.value
    this.#state$.next({ questions: questions.filter((each) => each.requestId !== requestId) })
  }

  #end(pause: Pause): void {
    this.#waiting?.unsubscribe()
    if (!this.isOver) this.#state$.next({ questions: [], end: pause })
    this.#options.onEnd(this.id)
    this.#progress$.complete()
  }

  /** While no request has the run, its questions wait for a limited time. */
  #waitForClient(): void {
    this.#waiting?.unsubscribe()
    this.#waiting = undefined
    if (this.#holders > 0 || this.isOver) return
    this.#waiting = timer(this.#options.waitMs).subscribe(() => {
      this.#waiting = undefined // a later question starts the time anew
      for (const { requestId, kind } of this.#state$.value.questions)
        this.answer(requestId, refusalOf(kind), nobodyAnswers)
    })
  }
}

/** Tells the model why a question has no answer. */
export const nobodyAnswers = 'No person could answer.'

/** The outcome of a question that nobody answers. */
export function refusalOf(kind: Question['kind']): unknown {
  if (kind === 'approval') return 'deny'
  return kind === 'confirm' ? false : null
}
