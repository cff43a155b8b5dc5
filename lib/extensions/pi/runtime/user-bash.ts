// Lets modules of pi take over shell commands of a person.
import { Observable } from 'rxjs'
import type { UserBashAnswer, UserCommandEnd } from '../../api/extension-hooks.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { BashOperations } from '../modules/file-operations.ts'
import { emitEvent, hasHandlers } from './emit-event.ts'

export function listenToUserBash(runtime: PiRuntime): void {
  runtime.api.hooks.on('user_bash', async ({ command, exclude }) => {
    if (!hasHandlers(runtime, 'user_bash')) return undefined
    let answer: UserBashAnswer | undefined
    const event = { command, excludeFromContext: exclude, cwd: runtime.api.session.cwd }
    await emitEvent(
      runtime,
      'user_bash',
      () => event,
      ({ operations, result }) => {
        answer = result === undefined ? byOperations(operations, event.cwd) : fixedResult(result)
        return true
      },
    )
    return answer
  })
}

function fixedResult(result: unknown): UserBashAnswer {
  const { output = '', exitCode = null } = result as { output?: unknown; exitCode?: number | null }
  return { result: { output: String(output), exitCode } }
}

/** @throws Failure `bad_request` if they cannot execute */
function byOperations(operations: unknown, cwd: string): UserBashAnswer {
  const { exec } = (operations ?? {}) as Partial<BashOperations>
  if (typeof exec !== 'function')
    throw new Failure('bad_request', 'The answer of user_bash has neither a result nor operations with exec')
  return { run: (command) => execution((signal, onData) => exec.call(operations, command, cwd, { onData, signal })) }
}

/** Aborts the signal when it is unsubscribed. */
function execution(
  start: (signal: AbortSignal, onData: (data: Buffer) => void) => Promise<UserCommandEnd>,
): Observable<string | UserCommandEnd> {
  return new Observable((subscriber) => {
    const controller = new AbortController()
    const decoder = new TextDecoder()
    const show = (data: Buffer): void => {
      subscriber.next(decoder.decode(data, { stream: true }))
    }
    start(controller.signal, show).then(
      ({ exitCode }) => {
        subscriber.next(decoder.decode())
        subscriber.next({ exitCode })
        subscriber.complete()
      },
      (error: unknown) => {
        subscriber.error(Failure.from(error))
      },
    )
    return () => {
      controller.abort()
    }
  })
}
