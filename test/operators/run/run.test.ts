// Tests a run: its start without a prompt, the end of a turn, its end and its limits.
import { ignoreElements, map, mergeMap, of, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { queues } from '../../../lib/operators/run/queues.ts'
import { run } from '../../../lib/operators/run/run.ts'
import { maxTurns } from '../../../lib/operators/run/stop-when.ts'
import type { RunOptions } from '../../../lib/operators/run/run.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { scenePorts } from '../../../lib/testing/run-scene.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

const history = [{ role: 'user' as const, content: 'Before', timestamp: 0 }]
const followUp = (content: string) => ({ queueId: content, queue: 'followUp' as const, content })

interface Played {
  readonly events: readonly AgentEvent[]
  readonly start: EventNamed<'agent_start'> | undefined
  readonly end: EventNamed<'agent_end'> | undefined
  readonly requests: number
  readonly head: string | null
}

/** A run in virtual time that starts at second 1; it has no prompt unless the options contain one. */
function playRun(scene: RunScene, options: Partial<RunOptions> = {}, onEvent?: (event: AgentEvent) => void): Played {
  const { ports, requests } = scenePorts(scene)
  const head = ports.conversation.headEntryId
  const events: AgentEvent[] = []
  marbles(({ flush }) => {
    const run$ = run({ ports, stop: createStopSwitch(), onSettled: () => undefined, ...options })
    const later$ = timer(1_000).pipe(mergeMap(() => run$))
    later$.subscribe((event) => {
      events.push(event)
      onEvent?.(event)
    })
    flush()
  })
  return {
    events,
    start: events.find((event) => event.type === 'agent_start'),
    end: events.find((event) => event.type === 'agent_end'),
    requests: requests.length,
    head,
  }
}

describe('a run without a prompt', () => {
  it('answers the end of the transcript, and names it in resumedFrom', () => {
    const { start, end, head, requests } = playRun({ script: ['done'], history: history })
    expect(start?.resumedFrom).toBe(head)
    expect([typeof head, requests, end?.totalTurns]).toEqual(['string', 1, 1])
  })

  it('has no resumedFrom for an empty transcript or with a prompt', () => {
    expect(playRun({ script: ['done'] }).start).not.toHaveProperty('resumedFrom')
    const prompted = playRun({ script: ['done'], history: history }, { prompt: { content: 'Go' } })
    expect(prompted.start).not.toHaveProperty('resumedFrom')
  })

  it('makes no request if the input that it should take was removed', () => {
    const waiting = queues([followUp('later')])
    const { requests, end } = playRun(
      { script: ['never'], history: history, ports: { queues: waiting } },
      { take: 'followUp' },
      ({ type }) => {
        if (type === 'turn_start') waiting.clear('followUp')
      },
    )
    expect([requests, end?.terminationReason, end?.totalTurns]).toEqual([0, 'completed', 1])
  })
})

describe('the end of a turn', () => {
  const turnEnds = ({ events }: Played) => events.filter((event) => event.type === 'turn_end')

  it('names message and results, and whether the run continues', () => {
    const script = [{ toolCalls: [{ name: 'a' }], usage: { output: 3 } }, 'done']
    const all = playRun({ script, tools: [fakeTool('a', 'x')], history: history })
    const [first, second] = turnEnds(all)
    const ends = all.events.filter((event) => event.type === 'message_end').map(({ entryId }) => entryId)
    expect(first).toMatchObject({ messageEntryId: ends[0], toolResultEntryIds: [ends[1]], usage: { output: 3 } })
    expect([first?.hasToolCalls, first?.willContinue]).toEqual([true, true])
    expect(second).toMatchObject({ toolResultEntryIds: [], hasToolCalls: false, willContinue: false })
    expect(all.start?.tools).toEqual(['a'])
  })

  it('ends the run with the failure of its answer', () => {
    const all = playRun({
      script: [{ error: { kind: 'auth', message: 'no' } }],
      history: history,
    })
    expect(all.end).toMatchObject({ terminationReason: 'error', error: { code: 'provider_error', message: 'no' } })
  })

  it('ends the run by a rule, which it names', () => {
    const script = [{ toolCalls: [{ name: 'a' }] }, 'never']
    const all = playRun({ script, tools: [fakeTool('a', 'x')], history: history, ports: { stopWhen: [maxTurns(1)] } })
    expect(all.end).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns' })
    expect(playRun({ script: ['done'], history: history }).end).not.toHaveProperty('stopRule')
  })
})

describe('the end of a run', () => {
  it('has the duration since the run’s own start', () => {
    expect(playRun({ script: [{ text: 'x', delayMs: 20 }], history: history }).end?.durationMs).toBe(20)
  })

  it('follows the `lastly` step, and calls onSettled before agent_settled', () => {
    const emitted: string[] = []
    const last: AgentEvent = { type: 'warning', code: 'x', message: 'last', recoverable: true }
    playRun(
      { script: ['done'], history: history, ports: { lastly: () => of(last) } },
      { onSettled: () => emitted.push('settled') },
      ({ type }) => emitted.push(type),
    )
    expect(emitted.slice(-4)).toEqual(['warning', 'agent_end', 'settled', 'agent_settled'])
  })

  it.each(['steer', 'followUp'] as const)(
    'answers a %s that comes during the `lastly` step, and repeats the step',
    (name) => {
      const last: AgentEvent = { type: 'warning', code: 'x', message: 'last', recoverable: true }
      const { events } = virtualRun({
        script: ['one', 'two'],
        ports: { queues: queues(), lastly: () => timer(100).pipe(map(() => last)) },
        at: { 50: (control) => control[name]('Late') },
      })
      const types = events.map(({ type }) => type).filter((type) => /^(?:turn_end|warning|agent_end)$/.test(type))
      expect(types).toEqual(['turn_end', 'warning', 'turn_end', 'warning', 'agent_end'])
      expect(events.find(({ type }) => type === 'agent_end')).toMatchObject({ totalTurns: 2, durationMs: 200 })
      expect(faultsOfRun(events)).toEqual([])
    },
  )

  it('has one `lastly` step after a stop, and leaves an input that comes meanwhile in its queue', () => {
    let begun = 0
    const { events } = virtualRun({
      script: ['one'],
      ports: {
        queues: queues(),
        lastly: () => {
          begun += 1
          return timer(100).pipe(ignoreElements())
        },
      },
      at: {
        50: (control) => {
          control.stop('aborted')
          control.steer('Late')
        },
      },
    })
    expect(begun).toBe(1)
    expect(events.at(-2)).toMatchObject({ type: 'agent_end', totalTurns: 1, terminationReason: 'aborted' })
  })

  it.each([-1, NaN, Infinity, 2 ** 31])('is an error at once for a wall clock of %d', (wallClockMs) => {
    const { end, requests } = playRun({ script: ['never'], history: history, ports: { wallClockMs } })
    expect([end?.terminationReason, end?.error?.code, requests]).toEqual(['error', 'bad_request', 0])
  })

  it('is a timeout when the wall clock is over, and leaves no timer when it ends before', () => {
    const slow = { script: [{ text: 'x', delayMs: 50 }], history: history }
    expect(playRun({ ...slow, ports: { wallClockMs: 20 } }).end).toMatchObject({
      terminationReason: 'wall_clock_timeout',
      durationMs: 20,
    })
    const stop = createStopSwitch()
    const { end } = playRun({ ...slow, ports: { wallClockMs: 60 } }, { stop })
    expect([end?.terminationReason, stop.reason]).toEqual(['completed', undefined])
  })

  it.each([0, 2 ** 31 - 1])('is normal for a wall clock of %d', (wallClockMs) => {
    expect(playRun({ script: ['x'], history: history, ports: { wallClockMs } }).end?.terminationReason).toBe(
      'completed',
    )
  })

  it('is an error if the settings cannot be read at the start, even if they can later', () => {
    const { ports } = scenePorts({ script: ['never'] })
    let calls = 0
    const settings = () => {
      calls += 1
      if (calls === 1) throw new Error('no settings')
      return ports.settings()
    }
    const { start, end, requests } = playRun({ script: ['never'], history: history, ports: { settings } })
    expect(start).toEqual({ type: 'agent_start', model: 'unknown', tools: [], thinkingLevel: 'off' })
    expect([end?.terminationReason, end?.error?.message, requests]).toEqual(['error', 'no settings', 0])
  })
})

describe('the usage in the context of the next request', () => {
  const usedBy = (scene: RunScene, onEvent?: (event: AgentEvent) => void) => {
    const used: (Usage | undefined)[] = []
    const { end } = playRun(
      {
        ...scene,
        history: history,
        ports: {
          ...scene.ports,
          transformContext: map((context) => {
            used.push(context.usage)
            return context
          }),
        },
      },
      {},
      onEvent,
    )
    return [used.map((usage) => usage?.output), end?.terminationReason]
  }

  it('is that of the last answer, and absent at first', () => {
    const script = [
      { toolCalls: [{ name: 'a' }], usage: { output: 3 } },
      { toolCalls: [{ name: 'a' }], usage: { output: 5 } },
      'done',
    ]
    expect(usedBy({ script, tools: [fakeTool('a', 'x')] })).toEqual([[undefined, 3, 5], 'completed'])
  })

  it('is absent after a turn without an answer', () => {
    const waiting = queues([followUp('later')])
    const withdrawn = (event: AgentEvent) => {
      if (event.type === 'turn_start' && event.turnIndex === 1) waiting.clear('followUp')
      if (event.type === 'turn_end' && event.messageEntryId === null) waiting.add(followUp('again'))
    }
    const script = [{ text: 'x', usage: { output: 3 } }, 'done']
    expect(usedBy({ script, ports: { queues: waiting } }, withdrawn)).toEqual([[undefined, undefined], 'completed'])
  })
})
