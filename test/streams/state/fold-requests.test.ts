import { describe, expect, it } from 'vitest'
import { foldRequests } from '../../../lib/streams/state/fold-inputs.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'

function asked(letter: string): EventNamed<'ui_request'> {
  return { type: 'ui_request', requestId: letter.repeat(26), kind: 'confirm', source: 'core', text: 'Go on?' }
}

function resolved(letter: string): EventNamed<'ui_resolved'> {
  return { type: 'ui_resolved', requestId: letter.repeat(26), outcome: true, by: 'client' }
}

describe('foldRequests', () => {
  it('keeps what was asked and not resolved, in order', () => {
    const open = [asked('a'), asked('b'), resolved('a'), asked('c')].reduce(foldRequests, [])
    expect(open).toEqual([asked('b'), asked('c')])
  })

  it('gives the very list back where the resolved one is not open', () => {
    const open = [asked('a')]
    expect(foldRequests(open, resolved('b'))).toBe(open)
  })

  it('is what a session folds them with', () => {
    const state = [asked('a'), asked('b'), resolved('b')].reduce(
      (at, event) => foldSession(at, { event }),
      emptySession(),
    )
    expect(state.requests).toEqual([asked('a')])
  })
})
