// Tests how messages and tool calls change the view.
import { describe, expect, it } from 'vitest'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import type { AssistantMessage } from '../../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import {
  answerEnds,
  answerStarts,
  entryId,
  piece,
  printed,
  shortly,
  textEnds,
  textStarts,
  notices,
  viewOf,
} from './view-scene.ts'
import { call, text } from './fold-view-scene.ts'

const wrapped = { ...call, name: 'use_tool', arguments: { name: 'bash', arguments: { command: 'ls' } } } as const

const usesTool = notices({
  type: 'message_update',
  entryId,
  delta: { type: 'toolcall_start', contentIndex: 0, id: 'c1', name: 'use_tool' },
})

const runs = notices({ type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', entryId }, 2_000)

const putsOut = (content: string): ViewInput =>
  notices({ type: 'tool_execution_update', toolCallId: 'c1', updateType: 'stdout', content, offset: 0 })

const ends = (isError = false): ViewInput => {
  const content = [{ type: 'text', text: 'a\nb' }] as const
  return notices({ type: 'tool_execution_end', toolCallId: 'c1', toolName: 'bash', isError, content, durationMs: 7 })
}

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
    ['is shown if no piece of it arrived', [answerEnds(text('One'), text('Two'))], 'text(One) text(Two) |'],
    ['takes no piece twice', [textStarts(), piece('One', 0), piece('One', 0), piece('ne!', 1)], '| text(One!)'],
    [
      'leaves out a piece behind a gap',
      [textStarts(), piece('One', 0), piece('x', 9), answerEnds(text('One and'))],
      'text(One and) |',
    ],
    ['is joined in its middle', [piece('One', 0), piece(' two', 3)], '| text(One two)'],
    ['is closed by a message that has less of it', [textStarts(), piece('One', 0), answerEnds()], 'text(One) |'],
    ['is nothing if it is blank', [textStarts(), piece(' \n', 0), textEnds(), answerEnds(text(' \n'))], '|'],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('costs the same after a long message as after a short one', () => {
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
    ['holds back what comes behind it', [answerEnds(call), runs, printed('More')], '| tool(bash running) user(More)'],
    ['runs if its message is missing', [runs, ends()], 'tool(bash done) |'],
    ['through use_tool has its own name', [answerEnds(wrapped)], '| tool(bash waiting)'],
    ['through use_tool has it from its beginning on', [usesTool, runs], '| tool(bash running)'],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('keeps only the end of its output', () => {
    let view = viewOf(answerEnds(call), runs)
    for (let count = 0; count < 1_000; count++) view = foldView(view, putsOut(`line ${count} of what it puts out\n`))
    const [item] = view.live
    if (item?.kind !== 'tool') throw new Error('there is no tool')
    expect(item.tail.length).toBeLessThanOrEqual(16_384)
    expect(item.tail.endsWith('line 999 of what it puts out\n')).toBe(true)
  })

  it('shows the length of incoming arguments, and keeps only their beginning', () => {
    const begin = notices({
      type: 'message_update',
      entryId,
      delta: { type: 'toolcall_start', contentIndex: 0, id: 'c1', name: 'write' },
    })
    const piece: ViewInput = notices({
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

describe('an undo of this client', () => {
  const begin: ViewInput = { type: 'undoing', isUndoing: true }
  const end: ViewInput = { type: 'undoing', isUndoing: false }
  const undone: ViewInput = { type: 'undone', text: 'Undone: removed a' }
  const restored = notices({ type: 'files_restored', toEntryId: null, paths: ['a'] })
  const moved = notices({ type: 'head_moved', entryId })
  const emptied = notices({ type: 'head_moved', entryId: null })
  const branch: ViewInput = {
    type: 'branch',
    entries: [{ entryId: 'aaaaaaab', parentId: null, seq: 1, message: { role: 'user', content: 'Hi', timestamp: 0 } }],
  }
  const unread: ViewInput = { type: 'branch', entries: [] }
  const continues = 'info(The conversation continues from another entry, which ends like this:)'
  it.each<[string, ViewInput[], string]>([
    [
      'answered before the end is read',
      [restored, moved, undone, end, branch],
      `${continues} user(Hi) success(Undone: removed a) |`,
    ],
    [
      'answered after the end is read',
      [restored, moved, branch, undone, end],
      `${continues} user(Hi) success(Undone: removed a) |`,
    ],
    [
      'answered before the head moves',
      [undone, end, restored, moved, branch],
      `${continues} user(Hi) success(Undone: removed a) |`,
    ],
    ['whose end cannot be read', [restored, moved, undone, end, unread], `${continues} success(Undone: removed a) |`],
    [
      'back to the start',
      [restored, emptied, undone, end],
      'info(The conversation begins again) success(Undone: removed a) |',
    ],
    ['that failed', [end, restored], 'info(Restored: a) |'],
    ['that failed behind its event', [restored, moved, end, branch], `${continues} user(Hi) |`],
  ])('%s shows its notice behind the quoted end [FIRST-results]', (_, inputs, shown) => {
    expect(shortly(viewOf(begin, ...inputs))).toBe(shown)
    expect(viewOf(begin, ...inputs).undoing).toBeUndefined()
  })

  it('shows its notice at once in another session', () => {
    expect(shortly(viewOf(undone))).toBe('success(Undone: removed a) |')
  })
})

describe('moving the head in the view', () => {
  const restored = (...paths: string[]) => notices({ type: 'files_restored', toEntryId: null, paths })
  it.each<[string, ViewInput, string]>([
    [
      'reports that nothing is left',
      notices({ type: 'head_moved', entryId: null }),
      'info(The conversation begins again) |',
    ],
    [
      'says that its end follows',
      notices({ type: 'head_moved', entryId }),
      'info(The conversation continues from another entry, which ends like this:) |',
    ],
    ['names the files', restored('a.ts', 'b.ts'), 'info(Restored: a.ts, b.ts) |'],
    ['counts many files', restored('a', 'b', 'c', 'd', 'e', 'f'), 'info(6 files were restored) |'],
    ['says that there was none', restored(), 'info(No file had to be restored) |'],
  ])('%s', (_, input, shown) => {
    expect(shortly(viewOf(input))).toBe(shown)
  })

  it('empties the context if nothing is left', () => {
    const full = { ...viewOf(), contextTokens: 5 }
    expect(foldView(full, notices({ type: 'head_moved', entryId: null })).contextTokens).toBe(0)
    expect(foldView(full, notices({ type: 'head_moved', entryId })).contextTokens).toBe(5)
  })
})

describe('a command of the user’s own', () => {
  const jobId = 'abcdefg5'
  const starts = notices({ type: 'job_start', jobId, command: 'ls', by: 'client' })
  const puts = notices({ type: 'job_update', jobId, content: 'a\n', offset: 0 })
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
  const jobEnds = notices({ type: 'job_end', jobId, exitCode: 0, durationMs: 1, message })
  const stands = notices({ type: 'message_end', entryId: 'abcdefg6', parentId: null, message })

  it.each<[string, ViewInput[], string]>([
    ['runs', [starts, puts], '| bash(ls)'],
    ['is finished when it has ended', [starts, jobEnds], 'bash(ls) |'],
    ['is not shown again by its message', [starts, jobEnds, stands], 'bash(ls) |'],
    ['is finished by its message too', [starts, stands, jobEnds], 'bash(ls) |'],
    ['is shown if only its message arrived', [stands], 'bash(ls) |'],
    [
      'holds back nothing',
      [starts, printed('Hi'), textStarts(), piece('Yes', 0), textEnds()],
      'user(Hi) text(Yes) | bash(ls)',
    ],
  ])('%s', (_, inputs, shown) => {
    expect(shortly(viewOf(...inputs))).toBe(shown)
  })

  it('is shown if the session was opened during it', () => {
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

  it('is shown by its message if its start is missing', () => {
    expect(shortly(viewOf(puts, jobEnds, stands))).toBe('bash(ls) |')
  })

  it('is not shown for a job of a tool', () => {
    expect(shortly(viewOf(notices({ type: 'job_start', jobId, command: 'ls', toolCallId: 'c1' })))).toBe('|')
  })
})
