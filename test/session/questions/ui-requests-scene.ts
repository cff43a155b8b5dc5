// Provides a session whose tools and program ask questions, and their outcomes.
import type { Question } from '../../../lib/streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { PlayedSession, SessionControl } from '../../support/virtual-session.ts'

export const sure: Question = { kind: 'confirm', text: 'Sure?' }

/** At 1 ms, after the actions at 0. */
export const prompted = { 1: ({ send }: SessionControl) => send({ type: 'prompt', text: 'Hi' }) }

/** A client that can answer is present from the beginning. */
export const there = ({ session }: SessionControl) => session.answering$.subscribe()

export function open({ session }: Pick<SessionControl, 'session'>): EventNamed<'ui_request'> {
  const [request] = session.state$.value.requests
  if (request === undefined) throw new Error('nothing is open')
  return request
}

export function respond(control: SessionControl, outcome: unknown, more: { text?: string; opId?: string } = {}) {
  const { opId, ...text } = more
  const { requestId } = open(control)
  return control.send({ type: 'ui_response', requestId, outcome, ...text }, opId === undefined ? {} : { opId })
}

export function resultText({ session }: PlayedSession): string {
  const results = [...session.state$.value.entries.values()].flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
  return results.join()
}

export const isUi = ({ type }: AgentEvent): boolean => type === 'ui_request' || type === 'ui_resolved'
