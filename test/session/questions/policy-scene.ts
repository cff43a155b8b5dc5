// Provides a session whose calls a policy decides, and people who answer its questions.
import { defer, of } from 'rxjs'
import type { Policy, PolicyRequest, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'

export const askVerdict: PolicyVerdict = {
  decision: 'ask',
  by: 'class',
  reason: 'It deletes folders.',
  class: 'recursive-delete',
  tier: 'critical',
  pattern: 'act(x *)',
}

export interface FakePolicy extends Required<Policy> {
  readonly requests: readonly PolicyRequest[]
  /** What was remembered, in order. */
  readonly remembered: readonly unknown[]
}

/** A policy that decides by the function; what was remembered is allowed. */
export function fakePolicy(
  verdictOf: (request: PolicyRequest) => PolicyVerdict = () => askVerdict,
  addPattern: Required<Policy>['addPattern'] = () => of(undefined),
): FakePolicy {
  const requests: PolicyRequest[] = []
  const remembered: unknown[] = []
  let isAllowed = false
  return {
    requests,
    remembered,
    decide: (request) =>
      defer(() => {
        requests.push(request)
        const verdict = verdictOf(request)
        return of<PolicyVerdict>(isAllowed ? { decision: 'allow', by: 'rule', reason: 'A rule covers it.' } : verdict)
      }),
    rememberCall: ({ args }) => void remembered.push(args),
    addPattern: (pattern, scope) =>
      defer(() => {
        const added$ = addPattern(pattern, scope)
        remembered.push([pattern, scope])
        isAllowed = true
        return added$
      }),
  }
}

/** A client that shows questions is there from the beginning. */
export const showing = ({ session }: SessionControl) => session.answeringQuestions$?.subscribe()
export const older = ({ session }: SessionControl) => session.answering$.subscribe()

export function answer(control: SessionControl, outcome: object, index = 0, options: { client?: string } = {}) {
  const question = control.session.state$.value.questions[index]
  if (question === undefined) throw new Error(`question ${index} is not open`)
  return control.send({ type: 'ui_response', requestId: question.requestId, outcome }, options)
}

export const act = (more: Parameters<typeof fakeTool>[2] = {}) => fakeTool('act', 'ran', more)
export const call = { name: 'act', arguments: { path: 'a' } }

export function playPolicy(policy: Policy, scene: Partial<SessionScene> = {}): PlayedSession {
  return playSession({
    script: [{ toolCalls: [call] }, 'done'],
    tools: [act()],
    ...scene,
    options: { policy, limits: { wallClockMs: 0 }, ...scene.options },
    at: { ...scene.at, 1: ({ send }) => send({ type: 'prompt', text: 'Hi' }) },
  })
}

export function eventsNamed<Name extends AgentEvent['type']>(
  { events }: Pick<PlayedSession, 'events'>,
  name: Name,
): Extract<AgentEvent, { type: Name }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Name }> => event.type === name)
}

/** The decisions as `allow:mode`, in order. */
export function decisions(run: Pick<PlayedSession, 'events'>): string[] {
  return eventsNamed(run, 'policy_decision').map(({ decision, by }) => `${decision}:${by}`)
}
