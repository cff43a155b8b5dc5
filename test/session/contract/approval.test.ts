// Tests approvals: decided after the hooks, on the arguments that the tool receives.
// If no client can answer, only read tools run.
import { Type } from '@sinclair/typebox'
import { EMPTY, NEVER, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../../../lib/session/contract/session-parts.ts'
import type { ApprovalRequest, Decision } from '../../../lib/streams/ports/hooks.ts'
import type { Capability } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { FakeTool } from '../../../lib/testing/fake-tool.ts'
import { approveCall } from '../../../lib/session/questions/approve-call.ts'
import { valuesOf } from '../../support/values-of.ts'
import { playSession } from '../../support/virtual-session.ts'

const parameters = Type.Object({ lines: Type.Optional(Type.Integer()) })

function tool(capability?: Capability): FakeTool {
  return fakeTool('act', 'done', { parameters, ...(capability === undefined ? {} : { capability }) })
}

/** Plays one call of `act` with these options: returns its result's text and how often it ran. */
function called(act: FakeTool, options: SessionOptions, args: Record<string, unknown> = {}) {
  const { session } = playSession({
    script: [{ toolCalls: [{ name: 'act', arguments: args }] }, 'done'],
    tools: [act],
    prompt: 'Hi',
    options,
  })
  const results = [...session.state$.value.entries.values()].flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
  return { text: results.join(), runs: act.calls.length }
}

const nobody = { approve: undefined } as unknown as SessionOptions

/** Records each approval request and answers with this decision. */
function asking(answer$: Observable<Decision>, requests: ApprovalRequest[] = []): SessionOptions {
  return {
    approve: (request) => {
      requests.push(request)
      return answer$
    },
  }
}

describe('without the approve option', () => {
  it('reading tools run [S6a]', () => {
    expect(called(tool('read'), nobody)).toEqual({ text: 'done', runs: 1 })
  })

  it.each([['write'], ['execute'], ['network'], [undefined]] as const)(
    'a tool of capability %s is refused, naming tool, capability and option [S6a]',
    (capability) => {
      const { text, runs } = called(tool(capability), nobody)
      expect(runs).toBe(0)
      expect(text).toContain('act was not run')
      expect(text).toContain(`may ${capability ?? 'execute'}`)
      expect(text).toContain('`approve`')
    },
  )
})

describe('with an approve function', () => {
  it('runs an allowed call', () => {
    expect(called(tool('write'), asking(of({ decision: 'allow' })))).toEqual({ text: 'done', runs: 1 })
  })

  it.each([
    ['a value', () => ({ decision: 'allow' as const }), 'done'],
    ['a promise', () => Promise.resolve({ decision: 'allow' as const }), 'done'],
    ['a refusal', () => ({ decision: 'deny' as const, reason: 'Not now.' }), 'Not now.'],
    ['nothing', () => undefined, 'The approval function completed without a decision'],
  ])('takes %s', async (_, answer, text) => {
    const act = tool('write')
    const reason$ = approveCall(answer, { ask: () => NEVER })({
      call: { type: 'toolCall', id: 'c', name: 'act', arguments: {} },
      tool: act,
      args: {},
    })
    expect(await valuesOf(reason$)).toEqual([text === 'done' ? undefined : text])
    if (answer() instanceof Promise) return
    expect(called(tool('write'), { approve: answer }).text).toBe(text)
  })

  it('refuses a denied call, and sends the reason to the model', () => {
    const denied$ = of<Decision>({ decision: 'deny', reason: 'Not that file.' })
    expect(called(tool('write'), asking(denied$))).toEqual({ text: 'Not that file.', runs: 0 })
    expect(called(tool('write'), asking(of({ decision: 'deny' }))).text).toBe(
      'The user did not allow this call of act.',
    )
  })

  it.each<[string, Observable<Decision>, string]>([
    ['completes without a decision', EMPTY, 'The approval function completed without a decision'],
    ['fails', throwError(() => new Error('no terminal')), 'no terminal'],
  ])('refuses the call if approve %s', (_, answer$, text) => {
    expect(called(tool('write'), asking(answer$))).toEqual({ text, runs: 0 })
  })

  it('refuses the call if approve throws', () => {
    const options: SessionOptions = {
      approve: () => {
        throw new Error('no terminal')
      },
    }
    expect(called(tool('write'), options)).toEqual({ text: 'no terminal', runs: 0 })
  })

  it('uses the first decision', () => {
    const answers$ = of<Decision[]>({ decision: 'deny', reason: 'first' }, { decision: 'allow' })
    expect(called(tool('write'), asking(answers$)).text).toBe('first')
  })

  it('does not ask for reading tools', () => {
    const requests: ApprovalRequest[] = []
    expect(called(tool('read'), asking(NEVER, requests)).runs).toBe(1)
    expect(requests).toEqual([])
  })

  it('does not ask for an invalid call', () => {
    const requests: ApprovalRequest[] = []
    called(tool('write'), asking(NEVER, requests), { lines: 'many' })
    expect(requests).toEqual([])
  })

  it('gets the call, the tool, its capability and the repaired arguments [S4a]', () => {
    const requests: ApprovalRequest[] = []
    const act = tool('write')
    called(act, asking(of({ decision: 'allow' }), requests), { lines: '3' })
    expect(requests).toMatchObject([
      { call: { name: 'act' }, tool: { name: 'act' }, capability: 'write', args: { lines: 3 } },
    ])
  })

  it('asks after the hooks, with the arguments that they return [S4a]', () => {
    const requests: ApprovalRequest[] = []
    const options = {
      ...asking(of({ decision: 'allow' }), requests),
      hooks: { beforeToolCall: () => of({ args: { lines: 7 } }) },
    }
    const act = tool('write')
    called(act, options, { lines: 3 })
    expect(requests[0]?.args).toEqual({ lines: 7 })
    expect(act.calls[0]?.args).toEqual({ lines: 7 })
  })

  it('does not ask if a hook has blocked the call', () => {
    const requests: ApprovalRequest[] = []
    const hooks = { beforeToolCall: () => of({ block: { reason: 'blocked' } }) }
    expect(called(tool('write'), { ...asking(NEVER, requests), hooks })).toEqual({ text: 'blocked', runs: 0 })
    expect(requests).toEqual([])
  })

  it('is unsubscribed by an abort', () => {
    const { session } = playSession({
      script: [{ toolCalls: [{ name: 'act' }] }],
      tools: [tool('write')],
      prompt: 'Hi',
      options: asking(NEVER),
      at: { 5: ({ send }) => send({ type: 'abort' }) },
    })
    expect(session.state$.value.lastEnd?.terminationReason).toBe('aborted')
  })
})

describe("with 'auto'", () => {
  it('runs every call without asking, after the hooks [S6b]', () => {
    expect(called(tool('execute'), { approve: 'auto' })).toEqual({ text: 'done', runs: 1 })
    const hooks = { beforeToolCall: () => of({ block: { reason: 'blocked' } }) }
    expect(called(tool('execute'), { approve: 'auto', hooks })).toEqual({ text: 'blocked', runs: 0 })
  })
})
