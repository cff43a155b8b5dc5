// Tests when the time limits of hooks stand still: while a question of the session is open.
import { Subject } from 'rxjs'
import { expect, it } from 'vitest'
import { sessionDoor } from '../../../lib/extensions/lifecycle/session-door.ts'
import type { ConnectedSession } from '../../../lib/extensions/lifecycle/session-host.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { scope } from '../../../lib/streams/rx/scope.ts'

it.each([
  ['ui_request', 'ui_resolved', 'requests'],
  ['question', 'question_resolved', 'questions'],
] as const)('is open from %s to %s', (begins, ends, list) => {
  const event$ = new Subject<AgentEvent>()
  const lists = { requests: new Array<object>(), questions: new Array<object>() }
  const door = sessionDoor({ next: () => undefined, error: () => undefined, complete: () => undefined }, scope())
  door.open({ event$, state: () => lists } as unknown as ConnectedSession) // the parts that are read
  const states: boolean[] = []
  door.questionOpen$.subscribe((isOpen) => states.push(isOpen))
  lists[list].push({})
  event$.next({ type: begins } as AgentEvent)
  lists[list].pop()
  event$.next({ type: ends } as AgentEvent)
  expect(states).toEqual([false, true, false])
})
