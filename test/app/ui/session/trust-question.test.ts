// Tests when the UI asks about trust before its first session, and when that question is over.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import {
  needsTrustAnswer,
  trustAnswered,
  trustOverlay,
  trustQuestions,
} from '../../../../app/ui/session/trust-question.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { behavior } from '../../../../lib/streams/rx/behavior.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { resultOf } from '../../../support/result-of.ts'

const client = (answer: unknown) => ({ request: () => answer }) as never // only this command is sent

describe('the UI', () => {
  it.each([
    ['untrusted', true],
    ['changed', true],
    ['trusted', false],
    ['never', false],
    ['none', false],
  ])('asks in a folder that is %s: %j', async (state, asks) => {
    const requests$ = needsTrustAnswer(client(of({ state })), { cwd: '/a', from: 'new' }, {})
    expect(await resultOf(requests$)).toBe(asks)
  })

  it('does not ask with --trust, for a session by its id, or if the server cannot tell', async () => {
    const untrusted = client(of({ state: 'untrusted' }))
    const failing = client(throwError(() => new Failure('unknown_command', 'no such command')))
    expect(await resultOf(needsTrustAnswer(untrusted, { cwd: '/a', from: 'new', trust: true }, {}))).toBe(false)
    expect(await resultOf(needsTrustAnswer(untrusted, { cwd: '/a', from: { session: 'x' } }, {}))).toBe(false)
    expect(await resultOf(needsTrustAnswer(failing, { cwd: '/a', from: 'new' }, {}))).toBe(false)
  })

  it('asks after the opening of a session in another folder, once for each folder', () => {
    const notices = [{ code: 'folder_untrusted', message: '' }]
    const input = (cwd: string, more: object = {}, status: object = {}) =>
      ({ opened: { header: { cwd }, notices, ...more }, status: { requests: [], ...status } }) as never // what it reads
    const { after, onShown } = trustQuestions()
    const question = { type: 'overlay', overlay: { ...trustOverlay, argument: 'reopen' } }
    onShown('/start')
    expect(after(input('/start'))).toEqual([])
    expect(after(input('/a', { notices: [] }))).toEqual([])
    expect(after(input('/a', { readOnly: {} }))).toEqual([])
    expect(after(input('/a', {}, { running: { runId: 'r' } }))).toEqual([])
    expect(after(input('/a', {}, { requests: [{}] }))).toEqual([])
    expect(after(input('/a'))).toEqual([question])
    expect(after(input('/a'))).toEqual([])
    expect(after(input('/b'))).toEqual([question])
  })

  it('goes on when the question is closed, and not before it was shown', () => {
    const view = behavior<View>(emptyView())
    const log: string[] = []
    trustAnswered({ view$: view.behavior$ }).subscribe(() => log.push('answered'))
    view.set(emptyView())
    expect(log).toEqual([])
    view.set({ ...emptyView(), overlay: trustOverlay })
    expect(log).toEqual([])
    view.set(emptyView())
    expect(log).toEqual(['answered'])
  })
})
