// Tests random seeded runs whose subscribers send commands in their handlers (docs/loop.md#34).
// Over 250 lines: the model of a run and the checks that use it belong together.
import type { RunHelpers } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { verifiedAgUi } from '../../operators/bridges/ag-ui-verified.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { pickOf, randomOf } from '../../support/random-of.ts'
import type { Random } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, Sent, SessionControl } from '../../support/virtual-session.ts'

type MakeCommand = (text: string, control: SessionControl, random: Random) => SessionCommand

const commands: readonly MakeCommand[] = [
  (text) => ({ type: 'prompt', text }),
  (text) => ({ type: 'prompt', text, whileRunning: 'steer' }),
  (text) => ({ type: 'prompt', text, whileRunning: 'follow_up' }),
  (text) => ({ type: 'steer', text }),
  (text) => ({ type: 'follow_up', text }),
  () => ({ type: 'abort' }),
  () => ({ type: 'continue' }),
  () => ({ type: 'set_queue_mode', queue: 'steering', mode: 'all' }),
  () => ({ type: 'set_queue_mode', queue: 'followUp', mode: 'all' }),
  () => ({ type: 'clear_queue' }),
  (_, control, random) => ({ type: 'remove_queued', queueId: queuedId(control, random) }),
  (text, control, random) => ({ type: 'edit_queued', queueId: queuedId(control, random), text: `${text}, edited` }),
  (_, control, random) => ({
    type: 'branch_session',
    entryId: pickOf(random, [null, ...control.session.state$.value.entries.keys()]),
  }),
  () => ({ type: 'set_thinking_level', thinkingLevel: 'low' }),
  () => ({ type: 'set_model', model: { model: { ...scriptedModel, id: 'throws' }, provider: () => thrown() } }),
  () => ({ type: 'set_active_tools', tools: ['a'] }),
]

function queuedId({ session }: SessionControl, random: Random): string {
  const { queue } = session.state$.value
  return queue.length === 0 ? 'zzzzzzzz' : pickOf(random, queue).queueId
}

function thrown(): never {
  throw new Error('This provider throws.')
}

/** The work that had begun by some moment. */
interface Begun {
  readonly requests: number
  readonly tools: number
  /** The number of commands sent so far that may each have begun a run. */
  readonly starts: number
}

interface Played {
  readonly session: PlayedSession
  /** The events that each of three subscribers received, in order. */
  readonly received: readonly (readonly unknown[])[]
  /** The work begun at each abort of a run, and when that run had settled. */
  readonly aborts: readonly { readonly runId: string; readonly before: Begun; after?: Begun }[]
}

function playRandom(seed: number): Played {
  const random = randomOf(seed)
  const received: unknown[][] = [[], [], []]
  const aborts: { runId: string; before: Begun; after?: Begun }[] = []
  const begun = { requests: 0, tools: 0, starts: 0 }
  let left = 12
  const act = (control: SessionControl): void => {
    if (left === 0) return
    left -= 1
    const command = pickOf(random, commands)(`input ${left}`, control, random)
    const { running } = control.session.state$.value
    if (command.type === 'prompt' || command.type === 'continue') begun.starts += 1
    if (command.type === 'abort' && running?.runId !== undefined)
      aborts.push({ runId: running.runId, before: { ...begun } })
    control.send(command)
  }
  const session = playSession((helpers) => ({
    script: (_, number) => {
      begun.requests += 1
      return number > 40 ? 'enough' : replyOf(random, number)
    },
    tools: toolsOf(random, helpers, () => (begun.tools += 1)),
    options: {
      queueModes: { steering: pickOf(random, ['all', 'one-at-a-time'] as const) },
      retry: { baseDelayMs: 5, jitter: () => 0 },
    },
    at: {
      0: (control) => {
        for (const [index, events] of received.entries()) {
          control.session.records$.subscribe(({ seq, event, runId }) => {
            events.push(seq ?? event)
            if (index === 0 && event.type === 'agent_settled') {
              for (const abort of aborts) if (abort.runId === runId) abort.after ??= { ...begun }
            }
            if (index < 2 && random() < 0.12) act(control)
          })
        }
        control.send({ type: 'prompt', text: 'Go' })
      },
      25: act,
      60: act,
    },
  }))
  return { session, received, aborts }
}

function replyOf(random: Random, number: number): ScriptedReply {
  const kind = random()
  if (kind < 0.08) {
    return new Failure('provider_error', 'sad', { data: { kind: pickOf(random, ['network', 'auth'] as const) } })
  }
  const count = kind < 0.45 ? 1 + Math.floor(random() * 3) : 0
  return {
    text: `answer ${number}`,
    pieceLength: 3,
    delayMs: random() < 0.5 ? 0 : Math.floor(random() * 20),
    pieceDelayMs: random() < 0.3 ? 2 : 0,
    toolCalls: Array.from({ length: count }, () => ({ name: pickOf(random, ['a', 'b', 'none']) })),
  }
}

function toolsOf(random: Random, { cold }: RunHelpers, begin: () => void): AnyTool[] {
  const outputs: Record<string, ToolProgress | ToolResult> = {
    p: { type: 'progress', updateType: 'stdout', content: 'x' },
    r: textResult('result'),
  }
  const a = fakeTool('a', () => {
    begin()
    return random() < 0.5 ? 'at once' : cold('--p-r', outputs)
  })
  const b = fakeTool(
    'b',
    () => {
      begin()
      return cold('---r', outputs)
    },
    { mustSerial: random() < 0.5 },
  )
  return [a, b]
}

/** Lists every broken law of the played run. */
function faultsOf({ session, received, aborts }: Played): string[] {
  const { records, log } = session
  const seqs = records.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
  const runs = Map.groupBy(
    records.filter(({ runId }) => runId !== undefined),
    ({ runId }) => runId,
  )
  return [
    ...(seqs.every((seq, index) => seq === index + 1) ? [] : ['seq has holes or is out of order']),
    ...(received.every((each) => each.every((value, index) => value === received[0]?.[index]))
      ? []
      : ['two subscribers saw two orders']),
    ...(log.head === seqs.length ? [] : ['the log holds something else than was told']),
    ...[...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event))),
    ...overlaps(records.map(({ event }) => event)),
    ...unanswered(session.sent),
    ...lost(session),
    ...lateWork(aborts),
    ...refusedByAgUi(session.events),
  ]
}

/** The client of AG-UI has to accept the translated events. */
function refusedByAgUi(events: readonly AgentEvent[]): string[] {
  try {
    verifiedAgUi(events)
    return []
  } catch (fault) {
    return [describeThrown(fault)]
  }
}

function overlaps(events: readonly AgentEvent[]): string[] {
  let on = 0
  return events.flatMap(({ type }) => {
    if (type === 'agent_start') on += 1
    if (type === 'agent_settled') on -= 1
    return on > 1 ? ['two runs at a time'] : []
  })
}

/** These may fail: there is nothing to continue, or the queued input was delivered already. */
const mayBeRefused = new Set<string>(['continue', 'edit_queued', 'remove_queued'] satisfies SessionCommand['type'][])

function unanswered(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ command, completed, failure }) => {
    if (failure instanceof Failure && failure.code === 'busy') return []
    if (failure instanceof Failure && mayBeRefused.has(command.type) && failure.code === 'bad_request') return []
    if (failure !== undefined) return [`${command.type}: ${Failure.from(failure).message}`]
    return completed ? [] : [`${command.type} was never answered`]
  })
}

const takesOut = new Set<string>(['clear_queue', 'edit_queued', 'remove_queued'] satisfies SessionCommand['type'][])

/** Lists accepted inputs that are not in the transcript once, not queued, and not removed from the queue. */
function lost({ sent, session }: PlayedSession): string[] {
  const { entries, queue } = session.state$.value
  const output = [...entries.values()].flatMap(({ message }) => (message.role === 'user' ? [message.content] : []))
  const known = [...output, ...queue.map(({ content }) => content)]
  const fewest = sent.some(({ command, result }) => takesOut.has(command.type) && result !== undefined) ? 0 : 1
  return sent.flatMap(({ command, result }) => {
    if (!('text' in command) || command.type === 'edit_queued' || result === undefined) return []
    const times = known.filter((content) => content === command.text).length
    return times >= fewest && times <= 1 ? [] : [`"${command.text}" is there ${times} times`]
  })
}

/** Lists requests and tools that began after an abort, unless a command sent since then may have begun a run. */
function lateWork(aborts: Played['aborts']): string[] {
  return aborts.flatMap(({ runId, before, after }) => {
    if (after === undefined) return [`the aborted run ${runId} never settled`]
    if (after.starts !== before.starts) return []
    const { requests, tools } = { requests: after.requests - before.requests, tools: after.tools - before.tools }
    return requests + tools === 0 ? [] : [`${requests} requests and ${tools} tools after an abort`]
  })
}

describe('random runs with commands from within handlers', () => {
  it(
    'break no law [LOOP-34e]',
    () => {
      const faulty: unknown[] = []
      const met = new Set<string>()
      for (let seed = 1; seed <= sampleSize(200, 3_000); seed++) {
        const played = playRandom(seed)
        for (const event of played.session.events)
          met.add(event.type === 'agent_end' ? `end ${event.terminationReason}` : event.type)
        for (const { command } of played.session.sent) met.add(`command ${command.type}`)
        const faults = faultsOf(played)
        if (faults.length > 0) faulty.push({ seed, faults })
      }
      expect(faulty.slice(0, 3)).toEqual([])
      expect(met).toEqual(
        new Set([
          ...met,
          'end aborted',
          'end error',
          'end completed',
          'queue_update',
          'auto_retry',
          'tool_execution_update',
          'head_moved',
          'model_change',
        ]),
      )
    },
    sampleSize(60_000, 900_000),
  )

  it('are deterministic', () => {
    expect(playRandom(7).session.events).toEqual(playRandom(7).session.events)
  })
})
