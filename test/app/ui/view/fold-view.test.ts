import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import type { ConnectionState } from '../../../../lib/server/connection-state.ts'
import type { AgentEvent } from '../../../../lib/streams/event.ts'
import type { AssistantMessage } from '../../../../lib/streams/message.ts'
import { noUsage } from '../../../../lib/streams/message.ts'
import { Failure } from '../../../../lib/streams/failure.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import {
  answerEnds,
  answerOf,
  answerStarts,
  entryId,
  piece,
  said,
  shortly,
  textEnds,
  textStarts,
  told,
  viewOf,
} from './view-scene.ts'

const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } } as const
const runs = told({ type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', entryId }, 2_000)
const putsOut = (content: string): ViewInput =>
  told({ type: 'tool_execution_update', toolCallId: 'c1', updateType: 'stdout', content, offset: 0 })
const ends = (isError = false): ViewInput => {
  const content = [{ type: 'text', text: 'a\nb' }] as const
  return told({ type: 'tool_execution_end', toolCallId: 'c1', toolName: 'bash', isError, content, durationMs: 7 })
}
const text = (value: string) => ({ type: 'text', text: value }) as const

describe('an answer in the view', () => {
  it.each<[string, ViewInput[], string]>([
    ['is live while it comes', [answerStarts, textStarts(), piece('One', 0)], '| text(One)'],
    ['leaves its whole blocks behind', [textStarts(), piece('One.\n\nTw', 0), piece('o', 8)], 'text(One.) | text(Two)'],
    ['is finished when its block ends', [textStarts(), piece('One', 0), textEnds()], 'text(One) |'],
    [
      'is shown once when its message ends',
      [textStarts(), piece('One', 0), textEnds(), answerEnds(text('One'))],
      'text(One) |',
    ],
    ['is made whole by its message', [textStarts(), piece('On', 0), answerEnds(text('One'))], 'text(One) |'],
    ['is shown where none of it was seen', [answerEnds(text('One'), text('Two'))], 'text(One) text(Two) |'],
    ['takes no piece twice', [textStarts(), piece('One', 0), piece('One', 0), piece('ne!', 1)], '| text(One!)'],
    [
      'leaves out a piece behind a gap',
      [textStarts(), piece('One', 0), piece('x', 9), answerEnds(text('One and'))],
      'text(One and) |',
    ],
    ['is joined in its middle', [piece('One', 0), piece(' two', 3)], '| text(One two)'],
    ['is closed by a message that has less of it', [textStarts(), piece('One', 0), answerEnds()], 'text(One) |'],
    ['is nothing where it is blank', [textStarts(), piece(' \n', 0), textEnds(), answerEnds(text(' \n'))], '|'],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('costs a view as much with a long message behind it as with a short one', () => {
    let view = viewOf(textStarts())
    for (let count = 0; count < 5_000; count++) view = foldView(view, piece('a line of text\n\n', count * 16))
    expect(view.live).toHaveLength(1)
    expect(view.finishedCount).toBe(5_000)
    const [item] = view.live
    expect(item?.kind === 'text' && item.source.length).toBeLessThan(20)
  })
})

describe('a tool call in the view', () => {
  it.each<[string, ViewInput[], string]>([
    ['waits when its message has ended', [answerEnds(call)], '| tool(bash waiting)'],
    ['runs', [answerEnds(call), runs], '| tool(bash running)'],
    ['is done', [answerEnds(call), runs, ends()], 'tool(bash done) |'],
    ['has failed', [answerEnds(call), runs, ends(true)], 'tool(bash done failed) |'],
    ['holds back what comes behind it', [answerEnds(call), runs, said('More')], '| tool(bash running) user(More)'],
    ['runs where its message was not seen', [runs, ends()], 'tool(bash done) |'],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('keeps the end of what it puts out, not all of it', () => {
    let view = viewOf(answerEnds(call), runs)
    for (let count = 0; count < 1_000; count++) view = foldView(view, putsOut(`line ${count} of what it puts out\n`))
    const [item] = view.live
    if (item?.kind !== 'tool') throw new Error('there is no tool')
    expect(item.tail.length).toBeLessThanOrEqual(16_384)
    expect(item.tail.endsWith('line 999 of what it puts out\n')).toBe(true)
  })

  it('shows how long its arguments are while they come, and keeps their beginning alone', () => {
    const begin = told({
      type: 'message_update',
      entryId,
      delta: { type: 'toolcall_start', contentIndex: 0, id: 'c1', name: 'write' },
    })
    const piece: ViewInput = told({
      type: 'message_update',
      entryId,
      delta: { type: 'toolcall_delta', contentIndex: 0, offset: 0, text: 'x'.repeat(5_000) },
    })
    const [item] = viewOf(begin, piece).live
    expect(item).toMatchObject({ state: 'writing', argumentsLength: 5_000 })
    expect(item?.kind === 'tool' && item.argumentsText).toHaveLength(1_024)
    expect(shortly(viewOf(begin, piece, answerEnds()))).toBe('tool(write done) |')
  })
})

describe('going back in the view', () => {
  const restored = (...paths: string[]) => told({ type: 'files_restored', toEntryId: null, paths })
  it.each<[string, ViewInput, string]>([
    ['says that nothing is left', told({ type: 'head_moved', entryId: null }), 'info(The conversation begins anew) |'],
    [
      'says that its end follows',
      told({ type: 'head_moved', entryId }),
      'info(The conversation goes on from another entry, which ends like this:) |',
    ],
    ['names the files', restored('a.ts', 'b.ts'), 'info(Put back: a.ts, b.ts) |'],
    ['counts many files', restored('a', 'b', 'c', 'd', 'e', 'f'), 'info(6 files were put back) |'],
    ['says that there was none', restored(), 'info(No file had to be put back) |'],
  ])('%s', (_, input, shown) => {
    expect(shortly(viewOf(input))).toBe(shown)
  })
})

const over = { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1 } as const
const retried: AgentEvent = { type: 'auto_retry', attempt: 2, delayMs: 500, kind: 'overloaded' }

describe('what a run tells people', () => {
  it.each<[string, ViewInput[], string]>([
    ['nothing where it did what it was asked', [told({ ...over, terminationReason: 'completed' })], '|'],
    [
      'why it ended',
      [told({ ...over, terminationReason: 'aborted' })],
      'warning(the run ended after 1 turn: aborted) |',
    ],
    [
      'which model goes on',
      [told({ type: 'model_fallback', attempt: 1, delayMs: 0, kind: 'auth', from: 'a/x', to: 'b/y' })],
      'warning(a/x failed (auth); going on with b/y) |',
    ],
    [
      'warnings and errors',
      [
        told({ type: 'warning', code: 'x', message: 'Mind.', recoverable: true }),
        told({ type: 'error', code: 'y', message: 'No.', recoverable: false }),
      ],
      'warning(Mind.) error(No.) |',
    ],
  ])('is %s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('says what to do about a failure', () => {
    const error = new Failure('provider_error', 'no', { data: { kind: 'auth' } })
    const { finished } = viewOf(
      told({
        ...over,
        terminationReason: 'error',
        error: { code: error.code, message: 'no', data: { ...error.data } },
      }),
    )
    expect(finished[0]).toMatchObject({ level: 'error', hint: expect.stringContaining('/login') as string })
  })

  it('shows a retry until the answer comes', () => {
    expect(viewOf(told(retried, 1_000)).retry).toEqual({ attempt: 2, at: 1_500, reason: 'overloaded' })
    expect(viewOf(told(retried), answerStarts).retry).toBeUndefined()
    expect(viewOf(told(retried), told({ type: 'agent_settled' })).retry).toBeUndefined()
  })

  it('runs from its start until it has settled', () => {
    const start = told({ type: 'agent_start', model: 'p/m', tools: ['read'], thinkingLevel: 'low' }, 5_000)
    expect(viewOf(start)).toMatchObject({
      running: { since: 5_000 },
      model: 'p/m',
      thinkingLevel: 'low',
      activeTools: ['read'],
    })
    expect(viewOf(start, told({ type: 'agent_settled' })).running).toBeUndefined()
  })
})

describe('the connection in the view', () => {
  const lost = { status: 'reconnecting', attempt: 1, delayMs: 100, failure: new Failure('disconnected', 'x') } as const
  const there = {
    status: 'connected',
    server: { name: 'rxpi', version: '1', pid: 1, epoch: 'e' },
    restarted: false,
  } as const satisfies ConnectionState
  const state = (given: ConnectionState): ViewInput => ({ type: 'connection', state: given })

  it('says once that it was lost, and once that it is there again', () => {
    const view = viewOf(state(there), state(lost), state({ ...lost, attempt: 2 }), state(there))
    expect(shortly(view)).toBe(
      'warning(The connection to the server was lost; trying again) success(Connected again; nothing was missed) |',
    )
    expect(view.connection).toBe('connected')
  })

  it('says where the server is another one', () => {
    const view = viewOf(state(there), state(lost), state({ ...there, restarted: true }))
    expect(shortly(view)).toContain('The server was started anew')
  })
})

describe('a session that is opened', () => {
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

  it('shows how its conversation ends', () => {
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

  it('keeps the picker that was asked for before it, and nothing that covers the one before [CLI-resume]', () => {
    const picker: ViewInput = { type: 'overlay', overlay: { name: 'picker', picker: 'sessions' } }
    const offer: ViewInput = { type: 'overlay', overlay: { name: 'offer', sessions: [] } }
    expect(viewOf(picker, opened()).overlay).toEqual({ name: 'picker', picker: 'sessions' })
    expect(viewOf(offer, opened()).overlay).toBeUndefined()
    expect(viewOf(opened(), picker, opened()).overlay).toBeUndefined()
  })

  it('leaves a call that runs live', () => {
    const running = { ...status, tools: [{ toolCallId: 'c1', toolName: 'bash' }], running: { turnIndex: 0 } }
    const view = viewOf(opened({ entries: [entry(answerOf([call]))], status: running }))
    expect(shortly(view)).toBe('| tool(bash running)')
    expect(view.running).toBeDefined()
  })

  it('leaves what was told before there was a session where it is', () => {
    const told = foldView(emptyView(), { type: 'notice', level: 'warning', text: 'before' })
    const { generation, finished } = foldView(told, opened())
    expect([generation, finished]).toEqual([told.generation, told.finished])
  })

  it('takes the place of the one before, from a generation of its own', () => {
    const before = viewOf(opened(), said('Hi'))
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

describe('what people do to the view', () => {
  it.each<[string, ViewInput, object]>([
    ['an overlay opens', { type: 'overlay', overlay: { name: 'help' } }, { overlay: { name: 'help' } }],
    ['text comes back to the editor', { type: 'draft', text: 'x' }, { draft: { text: 'x', revision: 1 } }],
    ['thinking is shown', { type: 'toggle_thinking' }, { showsThinking: true }],
  ])('%s', (_, input, change) => {
    expect(foldView(emptyView(), input)).toMatchObject(change)
  })
})

describe('a command of the user’s own', () => {
  const jobId = 'abcdefg5'
  const starts = told({ type: 'job_start', jobId, command: 'ls', by: 'client' })
  const puts = told({ type: 'job_update', jobId, content: 'a\n', offset: 0 })
  const ran = {
    role: 'bashExecution',
    jobId,
    command: 'ls',
    output: 'a\nb\n',
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 0,
  }
  const message = ran as unknown as AssistantMessage
  const jobEnds = told({ type: 'job_end', jobId, exitCode: 0, durationMs: 1, message })
  const stands = told({ type: 'message_end', entryId: 'abcdefg6', parentId: null, message })

  it.each<[string, ViewInput[], string]>([
    ['runs', [starts, puts], '| bash(ls)'],
    ['is finished when it has ended', [starts, jobEnds], 'bash(ls) |'],
    ['is not shown again by its message', [starts, jobEnds, stands], 'bash(ls) |'],
    ['is finished by its message too', [starts, stands, jobEnds], 'bash(ls) |'],
    ['is shown where only its message was seen', [stands], 'bash(ls) |'],
    [
      'holds back nothing',
      [starts, said('Hi'), textStarts(), piece('Yes', 0), textEnds()],
      'user(Hi) text(Yes) | bash(ls)',
    ],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('is shown where the session was opened while it ran', () => {
    const jobs = [{ type: 'job_start', jobId, command: 'ls', by: 'client' }] as const
    const header = { v: 1, id: 'aaaaaaaaaaaa', cwd: '/', createdAt: 0 }
    const model = { id: 'm', provider: 'p', api: 'x', inputs: ['text'], reasoning: false }
    const status = { tools: [], queue: [], requests: [], jobs, usage: noUsage }
    const opened = {
      type: 'opened',
      opened: { session: header.id, header, model, notices: [] },
      status,
      entries: [],
      hasEarlier: false,
    } as unknown as ViewInput
    expect(shortly(viewOf(opened, puts))).toBe('| bash(ls)')
    expect(shortly(viewOf(opened, puts, jobEnds, stands))).toBe('bash(ls) |')
  })

  it('is shown by its message where its start was not seen', () => {
    expect(shortly(viewOf(puts, jobEnds, stands))).toBe('bash(ls) |')
  })

  it('of a tool is none', () => {
    expect(shortly(viewOf(told({ type: 'job_start', jobId, command: 'ls', toolCallId: 'c1' })))).toBe('|')
  })
})
