// Tests the scheduling of random batches (docs/loop.md#3 to docs/loop.md#6, docs/loop.md#16).
// Compatible calls overlap, clashing calls never do, and every call ends once, in its place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { limitMs, locksOf, nameOf, playBatch, randomBatch, randomCall } from './random-batch.ts'
import type { Cut, Moment, PlayedBatch, RandomBatch, RandomCall, Work } from './random-batch.ts'

type CallEvent = 'tool_execution_start' | 'tool_execution_end'

/** The moment of the start or end event of the call at that index. */
function eventTime({ run, emitted }: PlayedBatch, type: CallEvent, call: number): Moment {
  const index = run.events.findIndex((event) => event.type === type && event.toolCallId === nameOf(call))
  const moment = emitted[index]
  if (moment === undefined) throw new Error(`${nameOf(call)} was never told its ${type}`)
  return moment
}

function resultMessages({ run }: PlayedBatch) {
  const ends = run.events.filter((event): event is EventNamed<'message_end'> => event.type === 'message_end')
  return ends.flatMap(({ message }) => (message.role === 'toolResult' ? [message] : []))
}

/** The names of the calls in the model's message, which may be incomplete. */
function calledNames({ run }: PlayedBatch): string[] {
  const answer = run.messages.find((message) => message.role === 'assistant')
  return answer?.content.flatMap((block) => (block.type === 'toolCall' ? [block.name] : [])) ?? []
}

function clash(left: RandomCall, right: RandomCall): boolean {
  const [one, two] = [locksOf(left), locksOf(right)]
  const shared = (names: readonly string[], others: readonly string[]): boolean =>
    names.some((name) => others.includes(name))
  const writes = shared(one.write, [...two.read, ...two.write]) || shared(two.write, one.read)
  return left.mustSerial || right.mustSerial || writes
}

/** The earlier executions that this one had to wait for. */
function blockersOf({ batch, works }: PlayedBatch, work: Work): Work[] {
  const own = batch.calls[work.call]
  return works.filter(({ call }) => {
    const other = batch.calls[call]
    if (call >= work.call || own === undefined || other === undefined) return false
    return batch.mode === 'sequential' || clash(own, other)
  })
}

/** Finds overlaps. An execution holds its locks until its tool has ended and its end event is out. */
function exclusionFaults(played: PlayedBatch): string[] {
  return played.works.flatMap((work) =>
    blockersOf(played, work).flatMap((earlier) => {
      const last = Math.max(
        earlier.left?.order ?? Infinity,
        eventTime(played, 'tool_execution_end', earlier.call).order,
      )
      return last < work.begun.order ? [] : [`${nameOf(work.call)} began before ${nameOf(earlier.call)} had ended`]
    }),
  )
}

/** Finds needless waits: an execution starts in the millisecond in which its last obstacle ends. */
function idlenessFaults(played: PlayedBatch): string[] {
  const { batch } = played
  const prepared = batch.calls.map((_, call) => call)
  return played.works.flatMap((work) => {
    const ends = blockersOf(played, work).map(({ call }) => eventTime(played, 'tool_execution_end', call).ms)
    const starts = (batch.mode === 'sequential' ? [work.call] : prepared).map(
      (call) => eventTime(played, 'tool_execution_start', call).ms,
    )
    const due = Math.max(...ends, ...starts)
    return work.begun.ms === due ? [] : [`${nameOf(work.call)} began at ${work.begun.ms} ms and could have at ${due}`]
  })
}

/**
 * Parallel: all starts come before any execution, and executions start in call order. Sequential: a call's events stay
 * together.
 */
function orderFaults(played: PlayedBatch): string[] {
  const { batch, run, emitted, works } = played
  const events = run.events.flatMap((event, index) => {
    const call = callOf(event)
    return call === undefined ? [] : [{ call, type: event.type, order: emitted[index]?.order ?? NaN }]
  })
  const inOrder = (calls: readonly string[]): boolean =>
    calls.every((call, index) => index === 0 || (calls[index - 1] ?? '') <= call)
  if (batch.mode === 'sequential') return inOrder(events.map(({ call }) => call)) ? [] : ['calls are mixed']
  const starts = events.filter(({ type }) => type === 'tool_execution_start')
  const first = Math.min(...works.map(({ begun }) => begun.order))
  const free = works.filter((work) => blockersOf(played, work).length === 0)
  return [
    ...(inOrder(free.map(({ call }) => nameOf(call))) ? [] : ['calls that nothing hindered began out of order']),
    ...(inOrder(starts.map(({ call }) => call)) ? [] : ['starts are out of order']),
    ...(starts.every(({ order }) => order < first) ? [] : ['a call began before all were prepared']),
  ]
}

function callOf(event: AgentEvent): string | undefined {
  if ('toolCallId' in event) return event.toolCallId
  const isResult = event.type === 'message_end' && event.message.role === 'toolResult'
  return isResult ? event.message.toolCallId : undefined
}

/** The other results that a call may have after a cut: aborted or skipped, or a hook that had not answered. */
function cutTexts(call: RandomCall, { how }: Cut): RegExp[] {
  if (how === 'interrupt') return [/^Skipped: the user sent a new message\.$/]
  return call.afterHook === 'slow' ? [/^Aborted$/, /^Aborted: .*afterToolCall had not answered/] : [/^Aborted$/]
}

/** Finds wrong results: each call has exactly one result, of the expected text. */
function resultFaults(played: PlayedBatch): string[] {
  const { batch, cutAt, works } = played
  const results = resultMessages(played)
  const order = results.map(({ toolName }) => toolName).join(' ')
  const wrong = results.flatMap(({ toolName, content }, index) => {
    const call = batch.calls[index]
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (call === undefined) return []
    const due = [dueText(call), ...(cutAt === undefined || batch.cut === undefined ? [] : cutTexts(call, batch.cut))]
    return due.some((pattern) => pattern.test(text)) ? [] : [`${toolName} was told ${text}`]
  })
  const twice = works.length === new Set(works.map(({ call }) => call)).size ? [] : ['a call worked twice']
  return [...twice, ...wrong, ...(order === calledNames(played).join(' ') ? [] : [`results are in order ${order}`])]
}

function dueText({ preparation, ending, afterHook }: RandomCall): RegExp {
  const refusals: Partial<Record<RandomCall['preparation'], RegExp>> = {
    unknown: /^There is no active tool/,
    invalid: /is no good/,
    blocked: /^blocked$/,
    'hook throws': /^no hook$/,
    'locks throw': /^no locks$/,
  }
  const ends: Record<RandomCall['ending'], RegExp> = {
    result: /^worked$/,
    throws: /^thrown$/,
    fails: /^failed$/,
    'gives nothing': /ended without a result/,
    hangs: new RegExp(`longer than its limit of ${limitMs / 1000} s`),
  }
  return refusals[preparation] ?? (afterHook === 'throws' ? /^after$/ : ends[ending])
}

/** Finds missing and forbidden executions. A call that may run does run, but no call starts after a cut. */
function startFaults({ batch, works, cutAt }: PlayedBatch): string[] {
  const worked = new Set(works.map(({ call }) => call))
  return batch.calls.flatMap(({ preparation }, call) => {
    const may = preparation === 'ready' || preparation === 'changed'
    const begun = works.find((work) => work.call === call)?.begun
    if (!may) return worked.has(call) ? [`${nameOf(call)} worked, and was ${preparation}`] : []
    if (cutAt === undefined) return begun === undefined ? [`${nameOf(call)} never worked`] : []
    return begun !== undefined && begun.order > cutAt.order
      ? [`${nameOf(call)} began after the ${batch.cut?.how ?? ''}`]
      : []
  })
}

function faultsOf(played: PlayedBatch): string[] {
  const { run, works, emitted, batch } = played
  const done = Math.max(emitted.at(-1)?.ms ?? 0, batch.cut?.by === 'time' ? batch.cut.at : 0)
  return [
    ...faultsOfRun(run.events),
    ...(run.idleAt <= done ? [] : [`timers are left until ${run.idleAt} ms`]),
    ...(run.end === 'complete' ? [] : [`the run ends ${String(run.end)}`]),
    ...works.flatMap(({ call, left }) => (left === undefined ? [`${nameOf(call)} works on`] : [])),
    ...exclusionFaults(played),
    ...idlenessFaults(played),
    ...orderFaults(played),
    ...resultFaults(played),
    ...startFaults(played),
  ]
}

/** Lists the cases that a batch covers; a test checks that all cases occur. */
function kindsIn(played: PlayedBatch): string[] {
  const { batch, works, cutAt } = played
  const cut = cutAt === undefined ? undefined : batch.cut?.how
  const overlapping = works.filter((work) =>
    works.some(
      ({ call, begun, left }) => call < work.call && begun.ms < work.begun.ms && (left?.ms ?? 0) > work.begun.ms,
    ),
  )
  const worked = works.flatMap(({ call }) => batch.calls[call] ?? [])
  return [
    ...batch.calls.map(({ preparation }) => preparation),
    ...worked.map(({ ending, workMs }) => `${ending} ${workMs === undefined ? 'at once' : 'later'}`),
    ...worked.flatMap(({ mustSerial }) => (mustSerial ? ['works alone'] : [])),
    ...works.flatMap((work) => (blockersOf(played, work).length > 0 ? [`${batch.mode}: waits`] : [])),
    ...(overlapping.length > 0 ? [`${batch.mode}: overlaps`] : []),
    ...(cut === undefined ? [] : [`${cut} by ${batch.cut?.by ?? ''}`]),
    ...(cutAt !== undefined && works.some(({ left }) => (left?.order ?? 0) > cutAt.order)
      ? [`${cut ?? ''} at work`]
      : []),
  ]
}

describe('scheduling of random batches', () => {
  it('follows every rule of the locks [LOOP-6a, LOOP-6b, LOOP-6c]', { timeout: sampleSize(20_000, 600_000) }, () => {
    fc.assert(
      fc.property(randomBatch, (batch) => {
        expect(faultsOf(playBatch(batch))).toEqual([])
      }),
      { numRuns: sampleSize(300, 20_000) },
    )
  })

  it('runs readers of one lock side by side, however they end [LOOP-6a]', () => {
    const reader = randomCall.map((call): RandomCall => ({
      ...call,
      ...{ preparation: 'ready', hookMs: undefined, mustSerial: false, locks: { read: ['a', 'b'], write: [] } },
      workMs: 1 + (call.workMs ?? 0),
    }))
    fc.assert(
      fc.property(fc.array(reader, { minLength: 2, maxLength: 8 }), (calls) => {
        const { works } = playBatch({ calls, mode: 'parallel', cut: undefined })
        const lastBegun = Math.max(...works.map(({ begun }) => begun.order))
        const firstLeft = Math.min(...works.map(({ left }) => left?.order ?? -1))
        expect([works.length, lastBegun < firstLeft]).toEqual([calls.length, true])
      }),
      { numRuns: sampleSize(50, 1_000) },
    )
  })

  it('covers every kind of call, end, wait and stop', () => {
    const batches: RandomBatch[] = fc.sample(randomBatch, { numRuns: 300, seed: 1 })
    const met = new Set(batches.flatMap((batch) => kindsIn(playBatch(batch))))
    const kinds = ['result', 'throws', 'fails', 'gives nothing', 'hangs'].flatMap((ending) =>
      ['at once', 'later'].map((when) => `${ending} ${when}`),
    )
    const wanted = [
      ...['ready', 'changed', 'unknown', 'invalid', 'blocked', 'hook throws', 'locks throw', ...kinds],
      ...['works alone', 'parallel: waits', 'parallel: overlaps', 'sequential: waits'],
      ...['abort', 'interrupt'].flatMap((cut) =>
        ['by time', 'by event', 'by call', 'at work'].map((at) => `${cut} ${at}`),
      ),
    ]
    expect([...met].sort()).toEqual(wanted.sort())
  })
})
