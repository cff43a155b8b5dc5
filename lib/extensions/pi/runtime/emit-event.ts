// Calls the handlers of a module of pi, one after the other.
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'

/**
 * Awaits each handler, in the order of registration, and hands each answer to `take`. A handler that throws does not keep the
 * others from being called; the first error is thrown after them.
 * @param take returns true to call no further handler
 */
export async function emitEvent(
  runtime: PiRuntime,
  type: string,
  eventOf: () => PiRecord,
  take: (answer: PiRecord) => boolean | undefined = () => undefined,
): Promise<void> {
  const errors: unknown[] = []
  for (const handler of [...(runtime.handlers.get(type) ?? [])])
    try {
      const answer = await handler({ type, ...eventOf() }, runtime.context)
      if (typeof answer === 'object' && answer !== null && take(answer as PiRecord) === true) break
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

/** `session_start`: `ctx.mode` is that of pi's terminal meanwhile. */
export async function emitStart(runtime: PiRuntime, reason: string): Promise<void> {
  runtime.isStarting = true
  try {
    await emitEvent(runtime, 'session_start', () => ({ reason }))
  } finally {
    runtime.isStarting = false
  }
}

export function hasHandlers(runtime: PiRuntime, type: string): boolean {
  return (runtime.handlers.get(type)?.length ?? 0) > 0
}
