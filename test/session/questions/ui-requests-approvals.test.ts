// Tests questions for approval: timeouts pause, and the answers decide the call.
import { ignoreElements } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl, SessionScene } from '../../support/virtual-session.ts'
import { sure, prompted, there, respond, resultText, isUi } from './ui-requests-scene.ts'

describe('while a question is open', () => {
  const late = { 0: there, 600_000: (control: SessionControl) => respond(control, true) }
  const hooks = ['beforeTurn', 'beforeToolCall', 'afterToolCall', 'afterTurn'] as const

  it.each(hooks)('the 30 s limit of %s is paused [LOOP-29b]', (name) => {
    let session: SessionControl['session'] | undefined
    let requests = 0
    const run = playSession({
      script: [{ toolCalls: [{ name: 'a' }] }, 'done'],
      tools: [fakeTool('a', 'x')],
      options: {
        hooks: { [name]: () => (requests++ === 0 ? session?.ask(sure).pipe(ignoreElements()) : undefined) },
      },
      at: {
        ...late,
        0: (control) => {
          session = control.session
          return there(control)
        },
        1: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
      },
    })
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed', totalTurns: 2 })
    expect(run.records.at(-1)?.at).toBe(600_000)
    expect(resultText(run)).toBe('x')
  })

  it('an attempt is not idle [LOOP-29b]', () => {
    const run = playSession({
      script: [{ text: 'x', delayMs: 650_000 }],
      prompt: 'Hi',
      at: { ...late, 5: ({ session }) => session.ask(sure).subscribe() },
    })
    expect(run.events.filter(({ type }) => type === 'auto_retry')).toEqual([])
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed', durationMs: 650_000 })
  })
})

describe("approvals: `approve: 'ask'`", () => {
  const act = (more: Parameters<typeof fakeTool>[2] = {}) => fakeTool('act', 'ran', more)
  const script = [{ toolCalls: [{ name: 'act', arguments: { path: 'a' } }] }, 'done']
  const play = (scene: Partial<SessionScene>) =>
    playSession({
      script,
      tools: [act()],
      options: { approve: 'ask' },
      ...scene,
      at: { ...scene.at, ...prompted },
    })

  it('asks the clients, with the call and its arguments [EVENT-ui_request]', () => {
    const run = play({ at: { 0: there, 10: (control) => respond(control, 'once') } })
    expect(run.events.find(isUi)).toMatchObject({
      kind: 'approval',
      source: 'core',
      toolCallId: 'call_1_1',
      tool: 'act',
      args: { path: 'a' },
      choices: ['once', 'deny'],
      reason: 'it may execute',
    })
    expect(resultText(run)).toBe('ran')
  })

  it('applies to one call: the same call asks again, with a new id [S5a]', () => {
    const call = { name: 'act', arguments: { path: 'a' } }
    const yes = (control: SessionControl) => respond(control, 'once')
    const run = play({
      script: [{ toolCalls: [call, call] }, { toolCalls: [call] }, 'done'],
      at: { 0: there, 10: yes, 20: yes, 30: (control) => respond(control, 'deny') },
    })
    const requests = run.events.flatMap((event) => (event.type === 'ui_request' ? [event] : []))
    expect(requests.map(({ toolCallId, args }) => [toolCallId, args])).toEqual([
      ['call_1_1', { path: 'a' }],
      ['call_1_2', { path: 'a' }],
      ['call_2_1', { path: 'a' }],
    ])
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(3)
    expect(resultText(run)).toBe('ran,ran,The user did not allow this call of act.')
  })

  it('sends the text of a denial to the model [EVENT-denial]', () => {
    const run = play({ at: { 0: there, 10: (control) => respond(control, 'deny', { text: 'Not now.' }) } })
    expect(resultText(run)).toBe('The user did not allow this call of act, and says: Not now.')
  })

  it('accepts no text with a consent, and no choice that was not offered', () => {
    const run = play({
      at: {
        0: there,
        10: (control) => respond(control, 'once', { text: 'Go' }),
        20: (control) => respond(control, 'session'),
        30: (control) => respond(control, 'deny'),
      },
    })
    expect(run.sent.slice(1).map(({ failure }) => (failure as { code?: string } | undefined)?.code)).toEqual([
      'bad_request',
      'bad_request',
      undefined,
    ])
    expect(resultText(run)).toBe('The user did not allow this call of act.')
  })

  it('refuses the call if no client can answer [S4b]', () => {
    expect(resultText(play({}))).toContain('no client can give it')
  })

  it('does not ask for reading tools, unless alwaysAsk is set', () => {
    expect(play({ tools: [act({ capability: 'read' })] }).events.filter(isUi)).toEqual([])
    const always = play({ tools: [act({ capability: 'read', alwaysAsk: true })], options: { approve: 'auto' } })
    expect(always.events.filter(isUi)).toHaveLength(2)
    expect(resultText(always)).toContain('was not run')
  })
})
