// Tests that a command acts at once and is answered when its events are on disk.
import { describe, expect, it } from 'vitest'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import { slow, syncing } from './send-command-scene.ts'
import { sampleSize } from '../../support/sample-size.ts'

describe('a prompt', () => {
  it('responds `started` with its run when its message is durable [COMMAND-prompt]', () => {
    const { sent, records } = playSession(syncing(7, { script: [slow], prompt: 'Hi' }))
    const [prompt] = sent
    const runId = records[0]?.runId
    expect(prompt).toMatchObject({ result: { status: 'started', runId }, answeredAt: 7, completed: true })
    expect(runId).toMatch(/^[a-z2-7]{8}$/)
  })

  it('acts at once, also without a subscriber', () => {
    const { notation } = playSession({
      script: ['Hello'],
      at: { 3: ({ session }) => void session.send({ type: 'prompt', text: 'Hi' }) },
    })
    expect(notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
  })

  it('replays its response to a later subscriber, and does not act again', () => {
    const answers: unknown[] = []
    const { requests } = playSession({
      script: ['Hello', 'never'],
      at: {
        0: ({ session }) => {
          const answer$ = session.send({ type: 'prompt', text: 'Hi' })
          answer$.subscribe((answer) => answers.push(answer))
          answer$.subscribe((answer) => answers.push(answer))
        },
      },
    })
    expect([answers.length, requests.length]).toEqual([2, 1])
    expect(answers[0]).toBe(answers[1])
  })

  it("contains the user's text and images", () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const output = (command: { text: string; images?: (typeof image)[] }) => {
      const { requests } = playSession({ script: ['x'], at: { 0: ({ send }) => send({ type: 'prompt', ...command }) } })
      return requests[0]?.messages[0]?.content
    }
    expect(output({ text: 'Hi' })).toBe('Hi')
    expect(output({ text: 'Hi', images: [] })).toBe('Hi')
    expect(output({ text: 'Hi', images: [image] })).toEqual([{ type: 'text', text: 'Hi' }, image])
    expect(output({ text: '', images: [image] })).toEqual([image])
  })

  it('has limits that precede the session’s [LOOP-26h]', () => {
    const { events } = playSession({
      script: () => ({ toolCalls: [{ name: 'a' }] }),
      tools: [fakeTool('a', 'x')],
      options: { limits: { turns: 5 } },
      at: { 0: ({ send }) => send({ type: 'prompt', text: 'Hi', limits: { turns: 2 } }) },
    })
    expect(endOf(events)).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns', totalTurns: 2 })
  })

  it.each([
    { wallClockMs: 2 ** 31 },
    { idleMs: 2 ** 31 },
    { wallClockMs: -1 },
    { idleMs: 0.5 },
    { turns: -1 },
    { usd: NaN },
  ])('is refused with invalid limits: %j [LOOP-28b]', (limits) => {
    const { sent, records } = playSession({
      script: ['x'],
      at: { 0: ({ send }) => send({ type: 'prompt', text: 'Hi', limits }) },
    })
    expect(sent[0]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(Object.keys(limits)[0] ?? '') as string,
    })
    expect(records).toEqual([])
  })

  it('writes its opId on its message', () => {
    const { records } = playSession({
      script: ['x'],
      at: { 0: ({ send }) => send({ type: 'prompt', text: 'Hi' }, { opId: 'op 1' }) },
    })
    const marked = records.filter(({ opId }) => opId !== undefined)
    expect(marked.map(({ event, opId }) => [event.type, opId])).toEqual([['message_end', 'op 1']])
    expect(marked[0]?.line).toContain('"opId":"op 1"')
  })
})

describe('a prompt during a run', () => {
  it('is refused as busy with the commands to send instead, and changes nothing [LOOP-22a]', () => {
    const { sent, notation } = playSession({
      script: [slow],
      prompt: 'Hi',
      at: { 50: ({ send }) => send({ type: 'prompt', text: 'and now?' }) },
    })
    expect(sent[1]?.failure).toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/steer.*follow_up/) as string,
    })
    expect(sent[1]).toMatchObject({ answeredAt: 50, completed: false })
    expect(notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
  })

  it.each([
    ['steer', 'steering'],
    ['follow_up', 'followUp'],
  ] as const)('is queued with whileRunning: %s [LOOP-22b, COMMAND-prompt]', (whileRunning, queue) => {
    const { sent, events, requests } = playSession({
      script: [slow, 'second'],
      prompt: 'Hi',
      at: { 50: ({ send }) => send({ type: 'prompt', text: 'and now?', whileRunning }) },
    })
    const queueId = events.find((event) => event.type === 'queue_update')?.queueId
    expect(sent[1]).toMatchObject({ result: { status: 'queued', queueId }, answeredAt: 50, completed: true })
    expect(events.filter((event) => event.type === 'queue_update')).toMatchObject([
      { queue, op: 'add', queueId, content: 'and now?' },
      { queue, op: 'take', queueId },
    ])
    expect(requests[1]?.messages.at(-1)?.content).toBe('and now?')
  })

  it('starts a run if none is active, also with whileRunning [LOOP-22b]', () => {
    const { sent } = playSession({
      script: ['x'],
      at: { 0: ({ send }) => send({ type: 'prompt', text: 'Hi', whileRunning: 'steer' }) },
    })
    expect(sent[0]?.result).toMatchObject({ status: 'started' })
  })

  it('is accepted again from the agent_settled event on [LOOP-26i]', () => {
    const { sent, notation } = playSession({
      script: ['one', 'two'],
      prompt: 'Hi',
      onRecord: ({ event }, { send, session }) => {
        if (event.type === 'agent_settled' && session.state$.value.seq < 15) send({ type: 'prompt', text: 'again' })
      },
    })
    expect(notation()).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET',
    )
    expect(sent.map(({ result }) => result)).toMatchObject([{ status: 'started' }, { status: 'started' }])
  })

  const followed = sampleSize(800, 2_000)
  it(`can follow a prompt ${followed} times, each within the end of the previous run`, () => {
    let settled = 0
    const { sent } = playSession({
      script: () => 'ok',
      options: { convertToLlm: () => [] },
      prompt: 'Hi',
      onRecord: ({ event }, { send }) => {
        if (event.type === 'agent_settled' && ++settled < followed) send({ type: 'prompt', text: 'again' })
      },
    })
    expect([settled, sent.filter(({ completed }) => completed).length]).toEqual([followed, followed])
  })
})

describe('every command', () => {
  it('is refused by a closed session', () => {
    const { sent } = playSession({
      script: [],
      at: {
        0: ({ session }) => session.close().subscribe(),
        1: ({ send }) => {
          send({ type: 'prompt', text: 'Hi' })
          send({ type: 'steer', text: 'Hi' })
          send({ type: 'abort' })
        },
      },
    })
    expect(sent.map(({ failure }) => failure)).toMatchObject(Array(3).fill({ code: 'unknown_session' }))
  })

  it('fails with `storage` if its line cannot be synced, though it acted', () => {
    const log = faultyLog()
    log.disk.broken = true
    const { sent, notation } = playSession({ script: ['x'], prompt: 'Hi', log })
    expect(sent[0]?.failure).toMatchObject({ code: 'storage', message: 'EIO: sync' })
    expect(notation()).toContain('SET')
  })
})

function endOf(events: readonly { readonly type: string }[]): EventNamed<'agent_end'> | undefined {
  return events.find((event): event is EventNamed<'agent_end'> => event.type === 'agent_end')
}

describe('a command that TypeScript did not check', () => {
  it.each<[object, RegExp]>([
    [{ type: 'prompt' }, /^prompt: .*"text"/],
    [{ type: 'prompt', text: 3n }, /^prompt: \/text must be text/],
    [{ type: 'steer', text: 'x', images: [{ type: 'image' }] }, /^steer: \/images\/0/],
    [{ type: 'set_thinking_level', thinkingLevel: 'deep' }, /thinkingLevel must be one of/],
    [{ type: 'fly' }, /unknown command "fly"/],
    [{}, /unknown command/],
  ])('is refused, and leaves nothing behind: %o', (command, message) => {
    const played = playSession({ script: ['Hello'], at: { 0: ({ send }) => void send(command as never) } })
    expect(played.sent[0]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message) as string,
    })
    expect(played.records).toEqual([])
  })
})
