// Tests the recovery of a random session whose log is cut after any line.
import { isDeepStrictEqual } from 'node:util'
import type { RunHelpers } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import type { WrittenLine } from '../../support/cut-log.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import type { SessionScene } from '../../support/virtual-session.ts'
import { linesOf, open, reopened, named } from './close-unfinished-run-scene.ts'

describe('a log that was cut after any line', () => {
  it(
    'continues without a fault: every run ends, and the folded state equals the emitted one [LOG-recovery]',
    () => {
      const faulty: unknown[] = []
      const ends = new Set<string>()
      for (let seed = 1; seed <= sampleSize(4, 400); seed += 1) {
        const lines = linesOf((helpers) => randomScene(seed, helpers))
        for (let cut = 0; cut <= lines.length; cut += 1) {
          const faults = faultsOfCut(lines.slice(0, cut), ends)
          if (faults.length > 0) faulty.push({ seed, cut, faults })
        }
      }
      expect(faulty.slice(0, 3)).toEqual([])
      expect([...ends].sort()).toEqual([
        '',
        'AE SET',
        'SET',
        'TE AE SET',
        'me(asst)',
        'me(result)',
        'me(user)',
        'ms(result)',
        'xe',
        'xs',
      ])
    },
    sampleSize(120_000, 1_800_000),
  )
})

function faultsOfCut(lines: readonly WrittenLine[], ends: Set<string>): unknown[] {
  const { log, before, session, records, added } = reopened(lines)
  const first = shortNotation(added).split(' ')[0] ?? ''
  ends.add(['TE', 'AE'].includes(first) ? shortNotation(added) : first)
  const state = session.state$.value
  const runs = Map.groupBy(records, ({ runId }) => runId ?? '')
  runs.delete('')
  const replayed = records.reduce(foldSession, emptySession())
  const queued = before.reduce(foldSession, emptySession())
  const left = queued.queue.filter(({ queueId }) => queueId !== queued.open?.queueId)
  return [
    ...[...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event))),
    ...differs('the lines before', records.slice(0, before.length), before),
    ...differs('the replay', replayed, state),
    ...differs('the queue', state.queue, left),
    ...differs('a second opening', open(log).state$.value, state),
    ...lostText(before, lines, added),
  ]
}

function differs(what: string, actual: unknown, expected: unknown): unknown[] {
  if (isDeepStrictEqual(actual, expected)) return [] // a quarter of the time of toEqual, which ignores what is undefined
  try {
    expect(actual).toEqual(expected)
    return []
  } catch {
    return [{ what, actual, expected }]
  }
}

/** Lists checkpointed text of the unfinished answer that is missing from the message that ends it. */
function lostText(
  before: readonly SessionRecord[],
  lines: readonly WrittenLine[],
  added: readonly AgentEvent[],
): string[] {
  const { open: unfinished } = before.reduce(foldSession, emptySession())
  if (unfinished?.message.role !== 'assistant') return []
  const [end] = named(added, 'message_end')
  const stored = JSON.stringify(end?.message.content)
  return lines.flatMap(({ kind, body }) => {
    if (kind !== 'checkpoint' || !body.includes(unfinished.entryId)) return []
    const { event } = JSON.parse(`${body}}`) as { event: EventNamed<'message_update'> }
    const text = 'text' in event.delta ? JSON.stringify(event.delta.text).slice(1, -1) : ''
    return stored.includes(text) ? [] : [`"${text}" is lost`]
  })
}

/**
 * Slow answers, parallel and sequential calls, inputs that arrive meanwhile, an abort, a failure and a second prompt.
 */
function randomScene(seed: number, { cold }: RunHelpers): Omit<SessionScene, 'log'> {
  const random = randomOf(seed)
  const commands: ((text: string) => SessionCommand)[] = [
    (text) => ({ type: 'steer', text }),
    (text) => ({ type: 'follow_up', text }),
    (text) => ({ type: 'prompt', text, whileRunning: 'steer' }),
    () => ({ type: 'abort' }),
  ]
  const at: Record<number, NonNullable<SessionScene['at']>[number]> = {}
  for (let index = 0; index < 5; index += 1) {
    const command = commands[Math.floor(random() * random() * commands.length)]?.(`input ${index}`)
    at[Math.floor(random() * 3_000)] = ({ send }) => {
      if (command !== undefined) send(command)
    }
  }
  return {
    script: (_, number) => replyOf(random, number),
    tools: [
      fakeTool('a', () => (random() < 0.5 ? 'at once' : cold('--p-r', { p: progress, r: textResult('a') }))),
      fakeTool('b', () => cold('---r', { r: textResult('b', { details: { seed } }) })),
    ],
    options: { toolExecution: random() < 0.3 ? 'sequential' : 'parallel', retry: { baseDelayMs: 5, jitter: () => 0 } },
    prompt: 'Go',
    at,
  }
}

const progress = { type: 'progress', updateType: 'stdout', content: 'x' } as const

function replyOf(random: () => number, number: number): ScriptedReply {
  if (number > 8) return 'enough'
  const kind = random()
  if (kind < 0.1) return new Failure('provider_error', 'sad', { data: { kind: 'network' } })
  const count = kind < 0.6 ? 1 + Math.floor(random() * 3) : 0
  return {
    ...(random() < 0.3 ? { thinking: `thought ${number}` } : {}),
    ...(random() < 0.8 ? { text: `answer ${number} "quoted"` } : {}),
    pieceLength: 3,
    pieceDelayMs: random() < 0.7 ? Math.floor(random() * 200) : 0,
    toolCalls: Array.from({ length: count }, () => ({ name: random() < 0.5 ? 'a' : 'b', arguments: { to: number } })),
  }
}
