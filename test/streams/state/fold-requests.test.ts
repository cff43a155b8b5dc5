// Tests the fold of questions into the list of open ones.
import { describe, expect, it } from 'vitest'
import { foldRequests } from '../../../lib/streams/state/fold-inputs.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'

function question(letter: string): EventNamed<'ui_request'> {
  return { type: 'ui_request', requestId: letter.repeat(26), kind: 'confirm', source: 'core', text: 'Go on?' }
}

function resolveRequest(letter: string): EventNamed<'ui_resolved'> {
  return { type: 'ui_resolved', requestId: letter.repeat(26), outcome: true, by: 'client' }
}

describe('foldRequests', () => {
  it('lists open questions, in order', () => {
    const open = [question('a'), question('b'), resolveRequest('a'), question('c')].reduce(foldRequests, [])
    expect(open).toEqual([question('b'), question('c')])
  })

  it('returns the same list if the resolved question is not open', () => {
    const open = [question('a')]
    expect(foldRequests(open, resolveRequest('b'))).toBe(open)
  })

  it('is the fold that a session uses', () => {
    const state = [question('a'), question('b'), resolveRequest('b')].reduce(
      (at, event) => foldSession(at, { event }),
      emptySession(),
    )
    expect(state.requests).toEqual([question('a')])
  })
})
