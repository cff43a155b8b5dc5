// Tests how long the questions of a run wait while no request of the MCP client has the run.
import { NEVER, Subject, of } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRunHub } from '../../../app/mcp-serve/run-hub.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'

const waitMs = 1_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A run of a client whose server starts it; `answered` are the questions that the hub has answered. */
function startedRun() {
  const events$ = new Subject<ClientEvent>()
  const answered: unknown[] = []
  const client = {
    events$: () => events$,
    request: (command: { readonly type: string; readonly requestId?: string }) => {
      if (command.type === 'ui_response') answered.push(command.requestId)
      return command.type === 'prompt' ? of({ status: 'started', runId: 'run' }) : NEVER
    },
  }
  const run = createRunHub(client as never, waitMs).start({ session: 'abcdefghij23', prompt: 'go' }) // the members that a hub uses
  events$.next({ type: 'attached' } as never)
  const ask = (requestId: string): void => {
    const event = { type: 'ui_request', kind: 'approval', requestId, source: 'core', text: 'May it run?' }
    events$.next({ type: 'event', event } as never)
  }
  return { run, ask, answered }
}

it('refuses every question of a run whose client does not come back, each after the time', () => {
  const { run, ask, answered } = startedRun()
  const release = run.hold()
  ask('first')
  release()
  vi.advanceTimersByTime(waitMs)
  expect(answered).toEqual(['first'])
  ask('second')
  vi.advanceTimersByTime(waitMs - 1)
  expect(answered).toEqual(['first'])
  vi.advanceTimersByTime(1)
  expect(answered).toEqual(['first', 'second'])
})

it('refuses none while a request has the run', () => {
  const { run, ask, answered } = startedRun()
  run.hold()
  ask('first')
  vi.advanceTimersByTime(10 * waitMs)
  expect(answered).toEqual([])
})
