// Tests that a command repeated with its opId runs once and returns the same response.
// It may be repeated while the first is under way, later, or after a restart.
import fc from 'fast-check'
import { timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import type { FaultyLog } from '../../support/faulty-log.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl } from '../../support/virtual-session.ts'

const tools = [fakeTool('a', 'of a'), fakeTool('b', 'of b')]
const other = { model: { ...scriptedModel, id: 'other' }, provider: scripted(['x']) }
const slow = { text: 'slow', delayMs: 50 }

/** Sends the command twice, `laterMs` apart, after `before`. */
function twice(command: SessionCommand, laterMs: number, before: (control: SessionControl) => void = () => undefined) {
  return playSession({
    script: () => slow,
    tools,
    at: {
      0: before,
      10: (control) => {
        control.send(command, { opId: 'op' })
        timer(laterMs).subscribe(() => control.send(command, { opId: 'op' }))
      },
    },
  })
}

const marked = ({ records }: PlayedSession): string[] =>
  records.filter(({ opId }) => opId === 'op').map(({ event }) => event.type)
const lastTwo = ({ sent }: PlayedSession): unknown[] => sent.slice(-2).map(({ result }) => result)

const running = ({ send }: SessionControl): void => void send({ type: 'prompt', text: 'Go' })
const queued = ({ send }: SessionControl): void => {
  send({ type: 'steer', text: 's' })
  send({ type: 'follow_up', text: 'f' })
}
const failed = ({ session }: SessionControl): void => {
  void session.send({ type: 'prompt', text: 'Go' })
  void session.send({ type: 'abort' })
}

const commands: [SessionCommand, (control: SessionControl) => void][] = [
  [{ type: 'prompt', text: 'Hi' }, () => undefined],
  [{ type: 'prompt', text: 'Hi', whileRunning: 'follow_up' }, running],
  [{ type: 'continue' }, failed],
  [{ type: 'steer', text: 'x' }, running],
  [{ type: 'follow_up', text: 'x' }, () => undefined],
  [{ type: 'clear_queue' }, queued],
  [{ type: 'set_thinking_level', thinkingLevel: 'high' }, () => undefined],
  [{ type: 'set_active_tools', tools: ['b', 'b'] }, () => undefined],
  [{ type: 'set_queue_mode', queue: 'steering', mode: 'all' }, () => undefined],
  [{ type: 'set_model', model: other }, () => undefined],
  [{ type: 'branch_session', entryId: null }, () => undefined],
]

describe('a command that is sent again under its opId', () => {
  it.each(commands)('acts once and gets the same response, at once and later: %j [WIRE-opId]', (command, before) => {
    for (const laterMs of [0, 1, 5, 200]) {
      const played = twice(command, laterMs, before)
      const [first, again] = lastTwo(played)
      expect([laterMs, first]).not.toEqual([laterMs, undefined])
      expect(again).toEqual(first)
      expect(marked(played)).toHaveLength(command.type === 'clear_queue' ? 2 : 1)
    }
  })

  it('is refused with another body [S5d]', () => {
    const played = playSession({
      script: ['Hello'],
      at: {
        0: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, { opId: 'op' }),
        10: ({ send }) => void send({ type: 'prompt', text: 'Hi there' }, { opId: 'op' }),
      },
    })
    expect(played.sent[1]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('"op"') as string,
    })
    expect(played.requests).toHaveLength(1)
  })

  it('is another command if its type differs [S5d]', () => {
    const played = playSession({
      script: ['Hello'],
      at: {
        0: ({ send }) => void send({ type: 'set_thinking_level', thinkingLevel: 'low' }, { opId: 'op' }),
        10: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, { opId: 'op' }),
      },
    })
    expect(marked(played)).toEqual(['thinking_level_change', 'message_end'])
  })

  it('is refused with another body, and accepted with another type, also while the first one is pending [S5d]', () => {
    const log = faultyLog()
    log.disk.syncMs = 30
    const sentRequests = { opId: 'op' }
    const played = playSession({
      log,
      script: ['Hello'],
      at: {
        0: ({ send }) => void send({ type: 'set_thinking_level', thinkingLevel: 'low' }, sentRequests),
        5: ({ send }) => void send({ type: 'set_thinking_level', thinkingLevel: 'high' }, sentRequests),
        10: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, sentRequests),
      },
    })
    const [first, other, prompt] = played.sent
    expect(first).toMatchObject({ result: {} })
    expect(other?.failure).toMatchObject({ code: 'bad_request', message: expect.stringContaining('"op"') as string })
    expect(prompt?.result).toMatchObject({ status: 'started' })
    expect(played.session.thinkingLevel).toBe('low')
  })

  it('runs again if it was refused', () => {
    const played = playSession({
      script: [slow, 'Hello'],
      prompt: 'Go',
      at: {
        10: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, { opId: 'op' }),
        100: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, { opId: 'op' }),
      },
    })
    expect(played.sent[1]?.failure).toMatchObject({ code: 'busy' })
    expect(played.sent[2]?.result).toMatchObject({ status: 'started' })
  })

  it('responds when the lines of the first one are durable', () => {
    const log = faultyLog()
    log.disk.syncMs = 30
    const played = playSession({
      log,
      script: [],
      at: {
        0: ({ send }) => void send({ type: 'steer', text: 'x' }, { opId: 'op' }),
        10: ({ send }) => void send({ type: 'steer', text: 'x' }, { opId: 'op' }),
      },
    })
    expect(played.sent[1]?.answeredAt).toBe(30)
  })
})

describe('after a restart', () => {
  const restarted = (log: FaultyLog): FaultyLog => ({ ...log, log: log.reopen() })

  it.each(commands)('the same command gets its response from its line: %j [WIRE-opId]', (command, before) => {
    const log = faultyLog()
    const first = playSession({
      log,
      script: () => slow,
      tools,
      at: { 0: before, 10: ({ send }) => void send(command, { opId: 'op' }) },
    })
    const again = playSession({
      log: restarted(log),
      script: [],
      tools,
      options: { ids: randomIds() },
      at: {
        0: ({ session, send }) => {
          if (command.type === 'set_model') void session.send({ type: 'set_model', model: other })
          send(command, { opId: 'op' })
        },
      },
    })
    expect(again.sent.at(-1)?.result).toEqual(first.sent.at(-1)?.result)
    expect(marked(again)).toEqual([])
  })

  it('1,000 random repeats and restarts run each command once', () => {
    const step = fc.record({ op: fc.nat(7), restart: fc.boolean(), gapMs: fc.constantFrom(0, 1, 60) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
        let log = faultyLog()
        const inputs: string[] = []
        for (const { op, restart, gapMs } of steps) {
          if (restart) log = restarted(log)
          const text = `input ${op}`
          inputs.push(text)
          const command: SessionCommand = op < 4 ? { type: 'follow_up', text } : { type: 'steer', text }
          const played = playSession({
            log,
            script: () => 'Hello',
            options: { ids: randomIds() },
            at: {
              0: (control) => {
                control.send(command, { opId: `op ${op}` })
                timer(gapMs).subscribe(() => control.send(command, { opId: `op ${op}` }))
              },
            },
          })
          const results = new Set(played.sent.map(({ result }) => JSON.stringify(result)))
          expect([results.size, [...results][0]]).not.toEqual([1, undefined])
          expect(results.size).toBe(1)
          const waiting = played.session.state$.value.queue.map(({ content }) => content)
          expect(waiting.toSorted()).toEqual([...new Set(inputs)].toSorted())
        }
      }),
      { numRuns: sampleSize(60, 1_000) },
    )
  })
})
