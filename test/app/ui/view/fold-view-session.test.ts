// Tests how runs, failures and the connection change the view.
// Over 250 lines: one scene for all that opening a session changes.
import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import type { ConnectionState } from '../../../../lib/server/client/reconnect.ts'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { answerOf, answerStarts, printed, shortly, notices, viewOf } from './view-scene.ts'
import { call, text } from './fold-view-scene.ts'

const over = { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1 } as const

const retried: AgentEvent = { type: 'auto_retry', attempt: 2, delayMs: 500, kind: 'overloaded' }

describe('the notice at the end of a run', () => {
  it.each<[string, ViewInput[], string]>([
    ['nothing if it completed', [notices({ ...over, terminationReason: 'completed' })], 'end(1 ms) |'],
    ['why it ended', [notices({ ...over, terminationReason: 'aborted' })], 'stopped(Stopped by you after 0 s) |'],
    [
      'which model goes on',
      [notices({ type: 'model_fallback', attempt: 1, delayMs: 0, kind: 'auth', from: 'a/x', to: 'b/y' })],
      'warning(a/x failed (auth); continuing with b/y) |',
    ],
    [
      'warnings and errors',
      [
        notices({ type: 'warning', code: 'x', message: 'Mind.', recoverable: true }),
        notices({ type: 'error', code: 'y', message: 'No.', recoverable: false }),
      ],
      'warning(Mind.) error(No.) |',
    ],
  ])('is %s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('has advice after a failure', () => {
    const error = new Failure('provider_error', 'no', { data: { kind: 'auth' } })
    const { finished } = viewOf(
      notices({
        ...over,
        terminationReason: 'error',
        error: { code: error.code, message: 'no', data: { ...error.data } },
      }),
    )
    expect(finished[0]).toMatchObject({ level: 'error', hint: expect.stringContaining('/login') as string })
  })

  it('shows a retry until the answer comes', () => {
    expect(viewOf(notices(retried, 1_000)).retry).toEqual({ attempt: 2, at: 1_500, reason: 'overloaded' })
    expect(viewOf(notices(retried), answerStarts).retry).toBeUndefined()
    expect(viewOf(notices(retried), notices({ type: 'agent_settled' })).retry).toBeUndefined()
  })

  it('ends without further events if the log takes no lines', () => {
    const start = notices({ type: 'agent_start', model: 'a/b', tools: [], thinkingLevel: 'off' })
    const opened = { ...emptyView(), session: { id: 'a', cwd: '/', title: '' } }
    const after = (recoverable: boolean) =>
      [start, notices({ type: 'status', code: 'storage', message: 'Gone.', recoverable })].reduce(foldView, opened)
    expect(after(true)).toMatchObject({ running: {}, session: opened.session })
    expect(shortly(after(true))).toBe('info(Gone.) |')
    expect(after(false)).toMatchObject({ endings: 1, session: { readOnly: 'Gone.' } })
    expect([after(false).running, shortly(after(false))]).toEqual([undefined, 'error(Gone.) |'])
  })

  it('marks the view as running from the start until the run has settled', () => {
    const start = notices({ type: 'agent_start', model: 'p/m', tools: ['read'], thinkingLevel: 'low' }, 5_000)
    expect(viewOf(start)).toMatchObject({
      running: { since: 5_000 },
      model: 'p/m',
      thinkingLevel: 'low',
      activeTools: ['read'],
    })
    expect(viewOf(start, notices({ type: 'agent_settled' })).running).toBeUndefined()
  })
})

describe('the connection in the view', () => {
  const lost = { status: 'reconnecting', attempt: 1, delayMs: 100, failure: new Failure('disconnected', 'x') } as const
  const there = {
    status: 'connected',
    server: { name: 'rxpi', version: '1', pid: 1, epoch: 'e' },
    restarted: false,
  } as const satisfies ConnectionState
  const state = (options: ConnectionState): ViewInput => ({ type: 'connection', state: options })

  it('reports a loss that lasts once, and the reconnection once', () => {
    const attempts = [1, 2, 3, 4, 5].map((attempt) => state({ ...lost, attempt }))
    const view = viewOf(state(there), ...attempts, state(there))
    expect(shortly(view)).toBe(
      'warning(Lost the connection to the server; reconnecting) success(Connected again; nothing was missed) |',
    )
    expect(view.connection).toBe('connected')
  })

  it('reports a restarted server in one line', () => {
    const view = viewOf(state(there), state(lost), state({ ...there, restarted: true }))
    expect(shortly(view)).toBe('success(The server was restarted; the session continues from its log) |')
  })

  it('reports a server that was stopped in one line, and its start on demand', () => {
    const stopped = viewOf(state(there), state(lost), state({ ...lost, attempt: 2 }), { type: 'server_stopped' })
    expect(stopped.connection).toBe('stopped')
    const startFails = foldView(stopped, state({ ...lost, attempt: 4 }))
    expect(startFails.connection).toBe('lost')
    expect(shortly(foldView(startFails, state({ ...there, restarted: true })))).toBe(
      'warning(The server was stopped; your next input starts it again) success(The server was restarted; the session continues from its log) |',
    )
  })
})

describe('an opened session', () => {
  const header = { type: 'session', v: 1, id: 'abcdefghij23', createdAt: 0, cwd: '/x' } as const
  const model = { id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false, contextWindow: 1_000 } as const
  const status = {
    seq: 3,
    header,
    headEntryId: null,
    queueModes: {},
    tools: [],
    queue: [],
    requests: [],
    jobs: [],
    usage: noUsage,
    open: true,
    verified: true,
  }
  const opened = (more: object = {}): ViewInput =>
    ({
      type: 'opened',
      opened: { session: header.id, header, model, notices: [] },
      status,
      entries: [],
      hasEarlier: false,
      ...more,
    }) as unknown as ViewInput
  const entry = (message: object) => ({ entryId: 'abcdefg4', parentId: null, seq: 1, message })

  it('shows the end of its conversation', () => {
    const result = {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [],
      isError: false,
      timestamp: 0,
    } as const
    const entries = [
      entry({ role: 'user', content: 'Hi', timestamp: 0 }),
      entry(answerOf([text('Yes'), call])),
      entry(result),
    ]
    expect(shortly(viewOf(opened({ entries })))).toBe('user(Hi) text(Yes) tool(bash done) |')
  })

  it('shows below its messages that its mode of approval is another one', () => {
    const session = { session: header.id, header, model, notices: [{ code: 'approval_mode', message: 'It is writes' }, { code: 'x', message: 'First' }] } // prettier-ignore
    const entries = [entry({ role: 'user', content: 'Hi', timestamp: 0 })]
    expect(shortly(viewOf(opened({ opened: session, entries })))).toBe('info(First) user(Hi) warning(It is writes) |')
  })

  it('keeps a picker that was opened before it, and closes overlays of the earlier session [CLI-resume]', () => {
    const picker: ViewInput = { type: 'overlay', overlay: { name: 'picker', picker: 'sessions' } }
    const offer: ViewInput = { type: 'overlay', overlay: { name: 'offer', sessions: [] } }
    expect(viewOf(picker, opened()).overlay).toEqual({ name: 'picker', picker: 'sessions' })
    expect(viewOf(offer, opened()).overlay).toBeUndefined()
    expect(viewOf(opened(), picker, opened()).overlay).toBeUndefined()
  })

  it.each([
    ['mcp', 'everything', 'The model has the instructions of the MCP server everything'],
    ['instructions', 'src/AGENTS.md', 'The model was told src/AGENTS.md'],
  ])('says what the model was told: %s', (kind, path, text) => {
    expect(shortly(viewOf(notices({ type: 'context_added', kind, path, digest: 'd', text: '' })))).toBe(
      `info(${text}) |`,
    )
  })

  it('shows a thinking level, and that it has no effect on the model', () => {
    const change = { type: 'thinking_level_change', to: 'high', by: 'client' } as const
    const ignored = viewOf(opened(), notices({ ...change, ignored: true }))
    expect([ignored.thinkingLevel, shortly(ignored)]).toEqual([
      'high',
      'warning(The thinking level high has no effect: as far as rxpi knows, p/m does not think. If it does, models.json can say so ("reasoning": true)) |',
    ])
    expect(shortly(viewOf(opened(), notices(change)))).toBe('|')
  })

  it('shows the model of the active run, also after coming back to it [MODEL-footer]', () => {
    const change: AgentEvent = { type: 'model_change', from: 'p/m', to: 'q/next', by: 'client' }
    const start: AgentEvent = { type: 'agent_start', model: 'p/m', tools: [], thinkingLevel: 'off' }
    const live = viewOf(opened(), notices(start), notices(change))
    expect([live.running?.model, live.model, shortly(live)]).toEqual([
      'p/m',
      'q/next',
      'info(The next request goes to q/next) |',
    ])
    const facts = { ownModel: 'p/m', by: 'server' } as const
    const away: AgentEvent = {
      type: 'model_change',
      from: 'p/m',
      to: 'p/eyes',
      reason: 'p/m takes no images',
      ...facts,
    }
    const home: AgentEvent = { type: 'model_change', from: 'p/eyes', to: 'p/m', reason: 'the run has ended', ...facts }
    const seeing = viewOf(opened(), notices(start), notices(away))
    expect([seeing.model, shortly(seeing)]).toEqual([
      'p/eyes',
      'info(This run goes on with p/eyes: p/m takes no images) |',
    ])
    expect(viewOf(opened(), notices(start), notices(away), notices(home)).model).toBe('p/m')
    const back = { ...status, model: 'q/next', running: { turnIndex: 0, model: 'f/back' } }
    expect(viewOf(opened({ status: back })).running?.model).toBe('f/back')
    const since = { ...status, running: { turnIndex: 0, startedAt: 1_234 } }
    expect(viewOf(opened({ status: since })).running?.since).toBe(1_234)
    const answers = notices({ type: 'message_start', entryId: 'abcdefg2', parentId: null, message: answerOf([]) })
    expect(viewOf(opened({ status: back }), answers).running?.model).toBe('p/m')
  })

  it('without a usable model has none, and says why as a warning [MODEL-none]', () => {
    const none = { session: header.id, header, model: null, notices: [{ code: 'no_model', message: 'None.' }] }
    const view = viewOf(opened({ opened: none }))
    expect([view.model, shortly(view)]).toEqual(['', 'warning(None.) |'])
  })

  it('leaves the notice about a pending extension to the question of the session', () => {
    const codes = ['extension_pending', 'extension', 'named_extension']
    const more = { session: header.id, header, model, notices: codes.map((code) => ({ code, message: code })) }
    expect(shortly(viewOf(opened({ opened: more })))).toBe('info(extension) info(named_extension) |')
  })

  it('keeps a running call live', () => {
    const running = { ...status, tools: [{ toolCallId: 'c1', toolName: 'bash' }], running: { turnIndex: 0 } }
    const view = viewOf(opened({ entries: [entry(answerOf([call]))], status: running }))
    expect(shortly(view)).toBe('| tool(bash running)')
    expect(view.running).toBeDefined()
  })

  it('keeps notices from before the first session', () => {
    const notices = foldView(emptyView(), { type: 'notice', level: 'warning', text: 'before' })
    const { generation, finished } = foldView(notices, opened())
    expect([generation, finished]).toEqual([notices.generation, notices.finished])
  })

  it('replaces the earlier session with a new generation', () => {
    const before = viewOf(opened(), printed('Hi'))
    const after = foldView(before, opened())
    expect(after).toMatchObject({
      finishedCount: 0,
      live: [],
      generation: before.generation + 1,
      session: { id: header.id, cwd: '/x' },
      contextWindow: 1_000,
    })
  })
})

it('shows the used share of the window of the chosen model', () => {
  const before = { ...emptyView(), model: 'p/small', contextWindow: 8_192, contextTokens: 4_096 }
  const change = { type: 'model_change', from: 'p/small', to: 'p/large', contextWindow: 131_072, by: 'client' } as const
  expect(foldView(before, notices(change))).toMatchObject({ model: 'p/large', contextWindow: 131_072 })
})

it('shows no share for the window of another model', () => {
  const before = { ...emptyView(), model: 'p/small', contextWindow: 8_192 }
  const after = foldView(before, notices({ type: 'model_change', from: 'p/small', to: 'p/large', by: 'client' }))
  expect([after.model, after.contextWindow]).toEqual(['p/large', undefined])
})

describe('inputs of the user', () => {
  it.each<[string, ViewInput, object]>([
    ['an overlay opens', { type: 'overlay', overlay: { name: 'help' } }, { overlay: { name: 'help' } }],
    ['text comes back to the editor', { type: 'draft', text: 'x' }, { drafts: [{ text: 'x', revision: 1 }] }],
    ['thinking is shown', { type: 'toggle_thinking' }, { showsThinking: true }],
  ])('%s', (_, input, change) => {
    expect(foldView(emptyView(), input)).toMatchObject(change)
  })
})
