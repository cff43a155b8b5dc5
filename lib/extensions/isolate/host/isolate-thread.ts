// Runs the worker thread of an isolated extension, watches it, and ends it.
// Guarantees: a thread that uses too much memory, or does not end a call that was aborted, is ended with all its calls.
import type { Worker } from 'node:worker_threads'
import { Observable, ReplaySubject, map, throwError, timeout } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import { isRecord } from '../../../streams/values/json.ts'
import { moduleLimitMs } from '../../loader/load-module.ts'
import type { ModuleFile } from '../../loader/load-module.ts'
import { callLink } from '../link/call-link.ts'
import type { CallLink } from '../link/call-link.ts'
import type { LinkMessage } from '../link/link-messages.ts'
import type { Serve } from '../link/served-calls.ts'
import { loadOrder } from './load-order.ts'
import { crashOf, openWorker } from './open-worker.ts'
import type { WorkerOptions } from './open-worker.ts'
import { watchMemory } from './watch-memory.ts'
import { watchPulse } from './watch-pulse.ts'

export interface ThreadOptions extends WorkerOptions {
  readonly file: ModuleFile
  /** Milliseconds that a call may go on after its abort. Default 5,000. */
  readonly graceMs?: number | undefined
  /** Milliseconds until the module has to be loaded. Default 31,000: the worker itself waits for 30 s, unless it loops. */
  readonly loadMs?: number | undefined
  /** Milliseconds that the worker may stand still outside of tools and hooks. Default 30,000. */
  readonly stillMs?: number | undefined
}

/** The session's services to the worker. */
export interface ThreadServices {
  readonly serve: Serve
  /** Answers at once. */
  serveNow(name: string, input: unknown): unknown
}

export interface LostThread {
  readonly failure: Failure
  /** True if a hook or a command reports the failure, or has reported that it took too long. */
  readonly isReported: boolean
}

export interface IsolateThread {
  /** The module's exports beside `setup`. */
  readonly manifest: Readonly<Record<string, unknown>>
  readonly call$: CallLink['call$']
  /** Emits once if the worker ends by itself or by its limits; completes then, and after `end`. */
  readonly lost$: Observable<LostThread>
  /** Before this the worker may ask for nothing. */
  use(services: ThreadServices): void
  /** Ends the scope of the extension and then the worker, after 250 ms at the latest. */
  end(): void
}

/** Of the whole process. */
const order = loadOrder()

const defaultGraceMs = 5_000
/** Milliseconds that what the extension does at its end may take. */
const endMs = 250

/**
 * Emits the thread once it has loaded the module, and completes. Fails with `bad_config` if the module cannot be loaded;
 * unsubscribing before that ends the worker. It starts in its turn (`loadOrder`).
 */
export function startThread(options: ThreadOptions): Observable<IsolateThread> {
  return order.wait(options.file, loadInThread(options))
}

function loadInThread(options: ThreadOptions): Observable<IsolateThread> {
  return new Observable((subscriber) => {
    const { loadMs = moduleLimitMs + 1_000 } = options
    const thread = openThread(options)
    let isLoaded = false
    subscriber.add(() => {
      if (!isLoaded) thread.end()
    })
    const loaded$ = thread.call$('load', options.file).pipe(
      map((manifest): IsolateThread => {
        isLoaded = true
        return { ...thread, manifest: isRecord(manifest) ? manifest : {} }
      }),
      timeout({ each: loadMs, with: () => throwError(() => lateFailure(options.file.entry, loadMs)) }),
    )
    subscriber.add(loaded$.subscribe(subscriber))
  })
}

function lateFailure(entry: string, loadMs: number): Failure {
  return new Failure('bad_config', `The extension ${entry} did not load within ${loadMs / 1000} s`)
}

/** Calls whose failure is reported by the session. */
const reported: ReadonlySet<string> = new Set(['hook', 'command'])

function openThread(options: ThreadOptions): Omit<IsolateThread, 'manifest'> {
  const { graceMs = defaultGraceMs, name, memoryMb } = options
  const { worker, port, answer, close } = openWorker(options)
  const lost$ = new ReplaySubject<LostThread>(1)
  let services = refusing(name)
  const post = (message: LinkMessage): void => {
    port.postMessage(message)
  }
  const finish = (failure: Failure): void => {
    memory.stop()
    pulse.stop()
    close()
    link.close(failure)
    lost$.complete()
  }
  const lose = (failure: Failure, isReported = link.open.some((call) => reported.has(call))): void => {
    lost$.next({ failure, isReported })
    finish(new Failure(failure.code, `The worker of the extension ${name} was ended: ${failure.message}`))
  }
  const link = callLink({
    graceMs,
    post,
    serve: (called, input, call) => services.serve(called, input, call),
    onStuck: (called) => {
      lose(stuckFailure(called, graceMs), called === 'hook')
    },
    onOpen: holdProcess(worker),
  })
  const memory = watchMemory(worker, { limitMb: memoryMb, isBusy: () => link.open.length > 0, onOver: lose })
  const pulse = watchPulse({ stillMs: options.stillMs, post, open: () => link.open, onStill: lose })
  port.on('message', (message: LinkMessage) => {
    if (message.kind === 'pong') pulse.onPong()
    else if (message.kind === 'sync') answer(message, () => services.serveNow(message.name, message.input))
    else link.receive(message)
  })
  port.unref()
  onDeath(worker, memoryMb, lose)
  return {
    call$: link.call$,
    lost$: lost$.asObservable(),
    use: (own) => {
      services = own
    },
    end: () => {
      endThread(link, lost$, () => {
        finish(new Failure('cancelled', `The extension ${name} was unloaded`))
      })
    },
  }
}

/** A worker without work keeps no process alive. */
function holdProcess(worker: Worker): (count: number) => void {
  return (count) => {
    if (count > 0) worker.ref()
    else worker.unref()
  }
}

/** Calls `lose` if the worker ends by itself. */
function onDeath(worker: Worker, memoryMb: number, lose: (failure: Failure) => void): void {
  worker.once('error', (error) => {
    lose(crashOf(error, memoryMb))
  })
  worker.once('exit', (code) => {
    lose(new Failure('internal', `it ended by itself with code ${code}`))
  })
}

/** Nothing is lost from now on. */
function endThread(link: CallLink, lost$: { complete(): void }, finish: () => void): void {
  lost$.complete()
  const timer = setTimeout(finish, endMs)
  const stop = (): void => {
    clearTimeout(timer)
    finish()
  }
  link.call$('end', {}).subscribe({ error: stop, complete: stop })
}

function stuckFailure(called: string, graceMs: number): Failure {
  const what = called === 'tool' ? 'a tool' : `a ${called}`
  return new Failure('timeout', `${what} went on for ${graceMs / 1000} s after it was ended`)
}

/** The top level of a module has no session. */
function refusing(name: string): ThreadServices {
  const refuse = (): never => {
    throw new Failure('bad_request', `The extension ${name} has to wait for its \`setup\``)
  }
  return { serve: refuse, serveNow: refuse }
}
