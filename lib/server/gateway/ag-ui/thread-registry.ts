// Holds the open threads of AG-UI, and finds the run of a request.
// Guarantees: at most `maxThreads` are open; one that no request follows leaves its session after a time.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import {
  EMPTY,
  ReplaySubject,
  Subscription,
  asapScheduler,
  catchError,
  defer,
  filter,
  finalize,
  map,
  mergeMap,
  observeOn,
  of,
  shareReplay,
  take,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import { connect } from '../../client/client.ts'
import type { Server } from '../../create-server.ts'
import { linkedPair } from '../../protocol/linked-pair.ts'
import { openThread } from './open-thread.ts'
import type { AgUiThread } from './open-thread.ts'
import { runOptionsOf } from './read-run-input.ts'
import type { RunOptions } from './read-run-input.ts'
import type { RunCancellation, RunInput } from './run-schemas.ts'
import { hasEnded } from './run-translator.ts'
import type { StoredRun } from './stored-run.ts'

export interface ThreadOptions {
  /** Sessions work in this folder, or in one below it that the request names. */
  readonly cwd: string
  /** Of the sessions' tools. */
  readonly env: Readonly<Record<string, string>>
  /** Threads that may be open; one more replaces the one that was left first. Default 64. */
  readonly maxThreads?: number
  /** Milliseconds after which a thread without a request leaves its session. Default 600,000. */
  readonly leavesAfterMs?: number
}

interface OpenThread {
  readonly thread$: ReplaySubject<AgUiThread>
  readonly closing: Subscription
  /** The last run that a request has claimed. */
  run: StoredRun | undefined
  /** Requests that it answers now. */
  followers: number
  leaving: Subscription | undefined
}

/** Holds the threads that are open. */
export function threadRegistry(server: Server, options: ThreadOptions) {
  const { maxThreads = 64, leavesAfterMs = 600_000 } = options
  const open = new Map<string, OpenThread>()
  const drop = (threadId: string, own: OpenThread): void => {
    if (open.get(threadId) === own) open.delete(threadId)
    own.leaving?.unsubscribe()
    own.closing.unsubscribe()
  }
  const create = (input: RunInput): OpenThread => {
    makeRoom(open, maxThreads, drop)
    const thread$ = new ReplaySubject<AgUiThread>(1)
    const own: OpenThread = { thread$, closing: new Subscription(), run: undefined, followers: 0, leaving: undefined }
    open.set(input.threadId, own)
    beginThread(own, server, options, input, () => drop(input.threadId, own))
    return own
  }
  const follow = (threadId: string, own: OpenThread): (() => void) => {
    own.followers += 1
    own.leaving?.unsubscribe()
    return () => {
      own.followers -= 1
      const isOpen = open.get(threadId) === own
      if (isOpen && own.followers === 0) own.leaving = timer(leavesAfterMs).subscribe(() => drop(threadId, own))
    }
  }
  return {
    close: () => {
      for (const [threadId, own] of [...open]) drop(threadId, own)
    },
    frames$: (input: RunInput, after: number | undefined): Observable<string> =>
      defer(() => {
        const runOptions = runOptionsOf(input)
        const known = open.get(input.threadId)
        if (after !== undefined) checkStored(known, input)
        const own = known ?? create(input)
        const leave = follow(input.threadId, own)
        // it is claimed also if the front end leaves before
        const run$ = runOf$(own, input, runOptions).pipe(shareReplay({ bufferSize: 1, refCount: false }))
        const onLeave = (): void => {
          leave()
          if (runOptions.onDisconnect === 'cancel') cancelRun(own, run$)
        }
        return run$.pipe(
          mergeMap((run) => run.frames$(after ?? 0)),
          finalize(onLeave),
        )
      }),
    /** Emits true if it has aborted the run; false if that is over. */
    cancel: (cancellation: RunCancellation): Observable<boolean> =>
      defer(() => cancelNamed(open.get(cancellation.threadId), cancellation)),
  }
}

/** @throws Failure `bad_request` if the thread is not open */
function cancelNamed(own: OpenThread | undefined, { threadId, runId }: RunCancellation): Observable<boolean> {
  if (own === undefined)
    throw new Failure('bad_request', `No thread ${JSON.stringify(threadId)} is open at this gateway.`)
  if (runId !== undefined && (own.run?.claimedBy !== runId || hasEnded(own.run))) return of(false)
  return own.thread$.pipe(
    take(1),
    mergeMap((thread) => thread.cancel()),
  )
}

/** Aborts the run of a request whose front end has left, unless it has ended or another request follows it. */
function cancelRun(own: OpenThread, run$: Observable<StoredRun>): void {
  run$
    .pipe(
      observeOn(asapScheduler), // the request that leaves follows it until then
      filter((run) => !hasEnded(run) && !run.isFollowed),
      mergeMap(() => own.thread$),
      take(1),
      mergeMap((thread) => thread.cancel()),
      catchError(() => EMPTY), // nobody is left to read that the session is gone
    )
    .subscribe()
}

/** Opens a thread at once. @param drop called if it cannot be opened, and once it cannot go on */
function beginThread(
  own: OpenThread,
  server: Server,
  { cwd, env }: ThreadOptions,
  input: RunInput,
  drop: () => void,
): void {
  const opened$ = defer(() => {
    const folder = folderOf(runOptionsOf(input), cwd)
    return openThread({ client: linkedClient(server), input, cwd: folder, env })
  }).pipe(
    tap({
      next: (thread) => {
        own.closing.add(() => thread.close())
        thread.onEnd(drop)
      },
      error: drop,
    }),
  )
  opened$.subscribe(own.thread$)
}

/**
 * Before the thread is opened and followed, for a request with `Last-Event-ID`. @throws Failure `bad_request` if its run is
 * not stored
 */
function checkStored(own: OpenThread | undefined, { runId }: RunInput): void {
  if (own?.run?.claimedBy === runId) return
  throw new Failure('bad_request', 'The run of this runId is not stored any more; read the session.')
}

/** The run of a request. One that is repeated, such as after a broken connection, gets the run that it has started. */
function runOf$(own: OpenThread, input: RunInput, runOptions: RunOptions): Observable<StoredRun> {
  const { run } = own
  if (run?.claimedBy === input.runId)
    return own.thread$.pipe(
      take(1),
      map(() => run),
    )
  return own.thread$.pipe(
    take(1),
    mergeMap((thread) => thread.startRun(input, runOptions)),
    tap((started) => {
      started.claimedBy = input.runId
      if (!started.isBeside) own.run = started
    }),
  )
}

/** Drops the thread that was left first. @throws Failure `overloaded` if requests follow all of them */
function makeRoom(
  open: Map<string, OpenThread>,
  most: number,
  drop: (threadId: string, own: OpenThread) => void,
): void {
  if (open.size < most) return
  const left = [...open].find(([, { followers }]) => followers === 0)
  if (left === undefined)
    throw new Failure('overloaded', `The gateway follows ${most} threads, its limit; try again later.`)
  drop(...left)
}

function linkedClient(server: Server) {
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  return connect(clientEnd)
}

/** The folder that the request names, if it is the server's or below it. @throws Failure `not_allowed` */
function folderOf({ cwd: named }: RunOptions, cwd: string): string {
  if (named === undefined) return cwd
  const relative = path.relative(realPath(cwd), realPath(named))
  const isInside = relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))
  if (isInside) return named
  throw new Failure('not_allowed', 'forwardedProps.cwd must be the folder of the server, or one below it.')
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    throw new Failure('not_allowed', `The folder ${JSON.stringify(folder.slice(0, 200))} does not exist.`)
  }
}
