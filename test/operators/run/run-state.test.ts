// Tests the reducer and the plan of a run without a scheduler: events build each state.
// Over 250 lines: one reducer and its plan, whose cases share the builders of states.
import { describe, expect, it } from 'vitest'
import type { QueueName } from '../../../lib/operators/ports/run-ports.ts'
import type { StopRule } from '../../../lib/streams/ports/hooks.ts'
import { endOfRun, endTurn, hasToolCalls, nextTurn, reduceRun, startRun } from '../../../lib/operators/run/run-state.ts'
import type { RunEvent, RunStart, RunState } from '../../../lib/operators/run/run-state.ts'
import { maxTurns, spent } from '../../../lib/operators/run/stop-when.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { assistant, sampleUsage } from '../../streams/events/samples.ts'

const running = { reason: undefined, failure: undefined }
const aborted = { reason: 'aborted', failure: undefined } as const
const noRules = { stopWhen: [] as StopRule[] }

/** Queues that hold this many inputs. */
const waiting = (sizes: Partial<Record<QueueName, number>> = {}) => ({ size: (queue: QueueName) => sizes[queue] ?? 0 })

const turnStart: AgentEvent = { type: 'turn_start', turnId: 't', turnIndex: 0 }
const answer = (message: AssistantMessage): AgentEvent => ({
  type: 'message_end',
  entryId: 'answer',
  parentId: null,
  message,
})
const text = answer(assistant())
const call = (id: string, args: Record<string, unknown> = {}) =>
  ({ type: 'toolCall', id, name: 'read', arguments: args }) as const
const calling = (...ids: string[]): AgentEvent => answer(assistant(ids.map((id) => call(id))))
const result = (id: string, terminate = false): readonly AgentEvent[] => [
  {
    type: 'tool_execution_end',
    toolCallId: id,
    toolName: 'read',
    isError: false,
    content: [],
    durationMs: 0,
    ...(terminate ? { terminate } : {}),
  },
  {
    type: 'message_end',
    entryId: `result of ${id}`,
    parentId: null,
    message: { role: 'toolResult', toolCallId: id, toolName: 'read', content: [], isError: false, timestamp: 0 },
  },
]

function reduceAll(events: readonly RunEvent[], start: RunStart = {}): RunState {
  return events.reduce(reduceRun, startRun(start))
}

/** The state after one turn with these events. */
function playTurn(
  events: readonly RunEvent[],
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the default would narrow the parameter's type
  { stopWhen = [] as StopRule[], queues = waiting(), stop = running as typeof running | typeof aborted } = {},
): RunState {
  return endTurn(reduceAll([turnStart, ...events]), { stopWhen, queues }, stop)
}

describe('startRun', () => {
  it('has no finished turn, and holds the input', () => {
    expect(startRun({})).toStrictEqual({
      start: {},
      turns: 0,
      usage: noUsage,
      turn: { turnId: '', results: [], terminating: [] },
      hasResults: false,
      row: { last: undefined, length: 0 },
      warned: [],
      warnings: [],
    })
    expect(startRun({ prompt: { content: 'Go' } }).start).toStrictEqual({ prompt: { content: 'Go' } })
    expect(startRun({ take: 'followUp' }).start).toStrictEqual({ take: 'followUp' })
  })
})

describe('nextTurn of a new run', () => {
  const prompt = { content: 'Go' }

  it('delivers the prompt, then steering', () => {
    const plan = { turnIndex: 0, prompt, queue: 'steering', hasQuestion: true, usage: undefined }
    expect(nextTurn(startRun({ prompt }), waiting(), running)).toEqual(plan)
  })

  it('answers the end of the transcript if it has no prompt', () => {
    const plan = { turnIndex: 0, queue: 'steering', hasQuestion: true, usage: undefined }
    expect(nextTurn(startRun({}), waiting(), running)).toStrictEqual(plan)
  })

  it('takes from the queue it was started for, and has no question without an input', () => {
    const plan = nextTurn(startRun({ take: 'followUp' }), waiting(), running)
    expect(plan).toMatchObject({ queue: 'followUp', hasQuestion: false })
  })

  it('is planned even if the run was stopped before it', () => {
    expect(nextTurn(startRun({ prompt }), waiting(), aborted)).toMatchObject({ turnIndex: 0, prompt })
  })
})

describe('nextTurn after a turn', () => {
  it.each<[string, readonly RunEvent[], Partial<Record<QueueName, number>>, object | undefined]>([
    ['ends the run after a text', [text], {}, undefined],
    ['takes steering after a text', [text], { steering: 1, followUp: 1 }, { queue: 'steering', hasQuestion: false }],
    ['takes a follow-up if no steer waits', [text], { followUp: 1 }, { queue: 'followUp', hasQuestion: false }],
    ['answers results', [calling('a'), ...result('a')], {}, { queue: 'steering', hasQuestion: true }],
    [
      'takes steering with results, and no follow-up',
      [calling('a'), ...result('a')],
      { followUp: 1 },
      { queue: 'steering', hasQuestion: true },
    ],
    [
      'answers results if one of them does not terminate',
      [calling('a', 'b'), ...result('a', true), ...result('b')],
      {},
      { hasQuestion: true },
    ],
    ['ends if every result terminates', [calling('a', 'b'), ...result('a', true), ...result('b', true)], {}, undefined],
    [
      'continues with an input if every result terminates',
      [calling('a'), ...result('a', true)],
      { followUp: 1 },
      { queue: 'followUp', hasQuestion: false },
    ],
    ['ends without an answer', [], {}, undefined],
    [
      'ends after a failure, whatever waits',
      [text, { type: 'answer_failed', failure: new Failure('provider_error', 'x') }],
      { steering: 1 },
      undefined,
    ],
    [
      'ends after a message that ended in error',
      [answer(assistant([], { stopReason: 'error' }))],
      { steering: 1 },
      undefined,
    ],
  ])('%s', (_, events, sizes, expected) => {
    const queues = waiting(sizes)
    const plan = nextTurn(playTurn(events, { queues }), queues, running)
    if (expected === undefined) expect(plan).toBeUndefined()
    else expect(plan).toMatchObject({ turnIndex: 1, ...expected })
  })

  it('returns undefined after a stop, whatever waits', () => {
    const queues = waiting({ steering: 1 })
    expect(nextTurn(playTurn([calling('a'), ...result('a')], { queues }), queues, aborted)).toBeUndefined()
  })

  it('has no prompt, and the usage of the answer before', () => {
    const queues = waiting({ followUp: 1 })
    const state = endTurn(
      reduceAll([turnStart, answer(assistant([], { usage: sampleUsage }))], { prompt: { content: 'Go' } }),
      { ...noRules, queues },
      running,
    )
    const plan = nextTurn(state, queues, running)
    expect(plan).not.toHaveProperty('prompt')
    expect(plan?.usage).toEqual(sampleUsage)
  })

  it('has no usage if the turn before had no answer', () => {
    const queues = waiting({ followUp: 1 })
    const first = playTurn([answer(assistant([], { usage: sampleUsage }))], { queues })
    const second = endTurn(reduceRun(first, turnStart), { ...noRules, queues }, running)
    expect(nextTurn(second, queues, running)).toEqual({
      turnIndex: 2,
      queue: 'followUp',
      hasQuestion: false,
      usage: undefined,
    })
  })
})

describe('reduceRun', () => {
  it('returns the same state for an event that says nothing about the run', () => {
    const state = reduceAll([turnStart, text])
    const delta = { type: 'text_delta', contentIndex: 0, offset: 0, text: 'x' } as const
    expect(reduceRun(state, { type: 'message_update', entryId: 'answer', delta })).toBe(state)
    expect(reduceRun(state, result('a')[0] as RunEvent)).toBe(state)
    const user = { role: 'user', content: 'Go', timestamp: 0 } as const
    expect(reduceRun(state, { type: 'message_end', entryId: 'u', parentId: null, message: user })).toBe(state)
  })

  it('collects the answer and the results of the turn, and drops them at the next', () => {
    const state = reduceAll([turnStart, calling('a', 'b'), ...result('a'), ...result('b', true)])
    expect(state.turn).toMatchObject({ turnId: 't', messageEntryId: 'answer' })
    expect(state.turn.results.map(({ entryId, terminate }) => [entryId, terminate])).toEqual([
      ['result of a', false],
      ['result of b', true],
    ])
    const next = reduceRun(state, { ...turnStart, turnId: 'next' })
    expect(next.turn).toEqual({ turnId: 'next', results: [], terminating: [] })
  })
})

describe('hasToolCalls', () => {
  it('checks the content alone', () => {
    const text = { type: 'text', text: 'x' } as const
    expect(hasToolCalls({ message: assistant([text]) })).toBe(false)
    expect(hasToolCalls({ message: assistant([text, call('a')]) })).toBe(true)
    expect(hasToolCalls({})).toBe(false)
  })
})

describe('endTurn', () => {
  it('counts turns and usage', () => {
    const used = answer(assistant([], { usage: sampleUsage }))
    const state = endTurn(reduceRun(playTurn([used]), used), { ...noRules, queues: waiting() }, running)
    expect([state.turns, state.usage.output]).toEqual([2, 2 * sampleUsage.output])
  })

  it('applies rules only to a run that would continue', () => {
    const stopWhen = [maxTurns(1)]
    expect(endOfRun(playTurn([text], { stopWhen }), running)).toEqual({ terminationReason: 'completed' })
    expect(endOfRun(playTurn([text], { stopWhen, queues: waiting({ steering: 1 }) }), running)).toEqual({
      terminationReason: 'stopped',
      stopRule: 'maxTurns',
    })
  })

  it('ends the run as an error if a rule throws', () => {
    const broken: StopRule = {
      name: 'own',
      matches: () => {
        throw new Error('broken')
      },
    }
    const state = playTurn([calling('a'), ...result('a')], { stopWhen: [broken] })
    expect(endOfRun(state, running)).toMatchObject({
      terminationReason: 'error',
      failure: { code: 'internal', message: 'The stop rule own failed: broken' },
    })
  })

  it('passes the finished turn to the rules', () => {
    const received: unknown[] = []
    const own: StopRule = { name: 'own', matches: (turn) => received.push(turn) === 0 }
    playTurn([calling('a', 'b'), ...result('a'), ...result('b')], { stopWhen: [own] })
    expect(received).toMatchObject([{ turns: 1, sameCalls: 2, results: [{ toolCallId: 'a' }, { toolCallId: 'b' }] }])
  })

  it('warns once of a rule that cannot decide, and of each row of identical calls', () => {
    const unpriced = { ...noUsage, cost: 'unknown' as const }
    const stopWhen = [spent({ usd: 1 })]
    const queues = waiting()
    const calls = answer(assistant([call('a'), call('b'), call('c')], { usage: unpriced }))
    const first = playTurn([calls, ...result('a')], { stopWhen })
    expect(first.warnings).toMatchObject([{ code: 'same_call_repeated' }, { code: 'stop_rule_blind' }])
    const second = endTurn([turnStart, calls].reduce(reduceRun, first), { stopWhen, queues }, running)
    expect(second.warnings).toEqual([])
  })
})

describe('endOfRun', () => {
  const failed = (kind: 'stall' | 'network') => new Failure('provider_error', 'x', { data: { kind } })

  it.each<[string, readonly RunEvent[], object]>([
    ['completed', [text], { terminationReason: 'completed' }],
    ['terminated', [calling('a'), ...result('a', true)], { terminationReason: 'terminated' }],
    ['error', [text, { type: 'answer_failed', failure: failed('network') }], { terminationReason: 'error' }],
    [
      'idle_timeout',
      [text, { type: 'answer_failed', failure: failed('stall') }],
      { terminationReason: 'idle_timeout' },
    ],
    ['error without a failure', [answer(assistant([], { stopReason: 'error' }))], { terminationReason: 'error' }],
    [
      'error before terminated',
      [calling('a'), ...result('a', true), { type: 'answer_failed', failure: failed('network') }],
      { terminationReason: 'error' },
    ],
  ])('is %s', (_, events, expected) => {
    expect(endOfRun(playTurn(events), running)).toMatchObject(expected)
  })

  it('is the stop, with its failure, rather than the run’s own end', () => {
    const state = playTurn([text, { type: 'answer_failed', failure: failed('network') }])
    expect(endOfRun(state, aborted)).toStrictEqual({ terminationReason: 'aborted' })
    const failure = new Failure('timeout', 'hook')
    expect(endOfRun(state, { reason: 'error', failure })).toEqual({ terminationReason: 'error', failure })
  })

  it('is terminated only if the run would not continue', () => {
    const state = playTurn([calling('a'), ...result('a', true)], { queues: waiting({ followUp: 1 }) })
    expect(state).not.toHaveProperty('end')
    expect(endOfRun(state, running)).toEqual({ terminationReason: 'completed' })
  })
})
