// Provides sessions whose runs are cold streams, drawn as marbles.
import { Observable, filter, map, timer } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { RunPromptOptions, Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

/** A session whose answers take 10 ms. */
export function slowSession(options: CreateSessionOptions = {}): Session {
  const provider = scripted(() => ({ text: 'Hello', delayMs: 10 }))
  return createSession({ model: { model: scriptedModel, provider }, cwd: '/', env: {}, ...options })
}

/** A run as marbles: its prompt when it starts, and in capitals when it has settled. */
export function marked(session: Session, options?: RunPromptOptions): (prompt: string) => Observable<string> {
  const asMarbles =
    (prompt: string): OperatorFunction<AgentEvent, string> =>
    (events$) =>
      events$.pipe(
        filter(({ type }) => type === 'agent_start' || type === 'agent_settled'),
        map(({ type }) => (type === 'agent_start' ? prompt : prompt.toUpperCase())),
      )
  return (prompt) => session.run(prompt, options).pipe(asMarbles(prompt))
}

export function endsOf(session: Session): string[] {
  const ends: string[] = []
  session.events$.subscribe((event) => {
    if (event.type === 'agent_end') ends.push(event.terminationReason)
  })
  return ends
}

/** A tool that took its signal and needs 20 ms to end after an abort. */
const tidy = fakeTool(
  'tidy',
  ({ context: { signal } }) =>
    new Observable((subscriber) => {
      signal.addEventListener('abort', () => {
        timer(20).subscribe(() => {
          subscriber.next(textResult('tidied'))
          subscriber.complete()
        })
      })
    }),
)

/** Its first answer calls a tool that needs 20 ms to end. */
export function tidySession(): Session {
  const provider = scripted([{ toolCalls: [{ name: 'tidy', arguments: {} }] }, 'b', 'c', 'd'])
  return createSession({
    model: { model: scriptedModel, provider },
    tools: [tidy],
    approve: 'auto',
    cwd: '/',
    env: {},
  })
}

/** The code of a Failure, or the name of another error. */
export function codeOf(error: unknown): string {
  return error instanceof Failure ? error.code : (error as Error).name
}
