// Tests compaction of an open session: by command, before requests and after an overflow.
// Over 250 lines: one scripted session for each way to a compaction.
import { NEVER, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import type { Summariser, SummaryRequest } from '../../../lib/streams/ports/agent-context.ts'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'

const only = ({ events }: PlayedSession, type: string) => events.filter((event) => event.type === type)
const lastSent = ({ sent }: PlayedSession, type: string) => sent.findLast(({ command }) => command.type === type)
const texts = (request: ProviderRequest | undefined) => request?.messages.map(messageText)
const long = (word: string): string => `${word} `.repeat(400)
const window = (contextWindow: number) => ({ ...scriptedModel, contextWindow })

/** Three prompts with long answers, then `compact` at 100 and a last prompt at 200. */
function compacted(summariser: Summariser, more: Partial<SessionScene> = {}, focus?: string) {
  return playSession({
    script: [long('one'), long('two'), long('three'), 'Last answer'],
    prompt: 'First',
    ...more,
    options: { summariser, ...more.options, compaction: { enabled: true, ...more.options?.compaction } },
    at: {
      20: ({ send }) => void send({ type: 'prompt', text: 'Second' }),
      40: ({ send }) => void send({ type: 'prompt', text: 'Third' }),
      100: ({ send }) => void send({ type: 'compact', ...(focus === undefined ? {} : { focus }) }),
      ...more.at,
      200: ({ send }) => void send({ type: 'prompt', text: 'Fourth' }),
    },
  })
}

describe('compact', () => {
  it('puts a summary in place of the older messages, and keeps the last ones [COMMAND-compact, EVENT-compaction_reason]', () => {
    const sentRequests: SummaryRequest[] = []
    const played = compacted((request) => {
      sentRequests.push(request)
      return of({ text: 'They counted.', model: 'a/b' })
    })
    const [event] = only(played, 'compaction')
    expect(event).toMatchObject({ reason: 'manual', model: 'a/b', messages: expect.any(Number) as number })
    expect(event).toMatchObject({ summary: expect.stringMatching(/^They counted\./) as string })
    expect(lastSent(played, 'compact')?.result).toMatchObject({ entryId: expect.any(String) as string })
    const sent = texts(played.requests.at(-1)) ?? []
    expect(sent[0]).toContain('They counted.')
    expect(sent.join()).not.toContain('one one')
    expect(sent.at(-1)).toBe('Fourth')
    expect(sent).toContain('Third')
    expect(sentRequests.every(({ reason }) => reason === 'compaction')).toBe(true)
  })

  it('has in its conversation what the log gives', () => {
    const played = compacted(() => of('They counted.'))
    const fromLog = contextMessages(played.session.state$.value).slice(0, -1)
    const strip = (messages: readonly object[]) => messages.map((message) => ({ ...message, timestamp: 0 }))
    expect(strip(played.requests.at(-1)?.messages ?? [])).toEqual(strip(fromLog))
  })

  it('counts the messages that the summary stands for, and not those of an earlier summary', () => {
    const played = compacted(() => of('They counted.'), {
      at: {
        150: ({ send }) => void send({ type: 'prompt', text: long('more') }),
        180: ({ send }) => void send({ type: 'compact' }),
      },
    })
    const { summaries, entries } = played.session.state$.value
    const [one, two] = [...summaries.values()].flatMap(({ event }) => (event.type === 'compaction' ? event : []))
    const ids = [...entries.keys()]
    const older = ids.slice(0, ids.indexOf(one?.firstKeptEntryId ?? ''))
    expect(one?.messages).toBe(older.length - (one?.carriedEntryIds ?? []).length)
    expect(one?.messages).toBeGreaterThan(0)
    const later = ids.slice(older.length, ids.indexOf(two?.firstKeptEntryId ?? ''))
    expect(two?.messages).toBe(later.length - (two?.carriedEntryIds ?? []).filter((id) => later.includes(id)).length)
  })

  it('tells every client that a compaction has ended without a summary', () => {
    const played = compacted(() => throwError(() => new Failure('provider_error', 'no')))
    expect(only(played, 'status')).toEqual([
      {
        type: 'status',
        code: 'compaction_ended',
        message: 'no',
        context: { code: 'provider_error' },
        recoverable: true,
      },
    ])
  })

  it('passes the focus on, reports progress, and counts the cost [EVENT-compaction_reason]', () => {
    const usage = { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, totalTokens: 10, cost: 'unknown' as const }
    const sentRequests: SummaryRequest[] = []
    const played = compacted(
      (request) => {
        sentRequests.push(request)
        return of({ characters: 5 }, { text: 'Short.', usage })
      },
      {},
      'the tests',
    )
    expect(sentRequests[0]).toMatchObject({ focus: 'the tests' })
    expect(only(played, 'compaction')).toMatchObject([
      { focus: 'the tests', usage: { input: 7 * sentRequests.length } },
    ])
    expect(only(played, 'compaction_progress')).toContainEqual(expect.objectContaining({ characters: 5 }))
    const turns = only(played, 'turn_end').reduce(
      (sum, event) => sum + (event.type === 'turn_end' ? event.usage.input : 0),
      0,
    )
    expect(played.session.state$.value.usage.input).toBe(turns + 7 * sentRequests.length)
  })

  it.each<[string, Summariser, string]>([
    ['fails', () => throwError(() => new Failure('provider_error', 'no')), 'provider_error'],
    ['completes without one', () => of<{ characters: number }>({ characters: 1 }), 'internal'],
  ])('changes nothing if the summariser %s', (_, summariser, code) => {
    const played = compacted(summariser)
    expect(lastSent(played, 'compact')?.failure).toMatchObject({ code })
    expect([...only(played, 'compaction'), ...only(played, 'context_edit')]).toEqual([])
    expect(played.requests.at(-1)?.messages).toHaveLength(7)
  })

  it('fails and changes nothing if the model calls a tool instead', () => {
    const played = playSession({
      script: [long('one'), long('two'), { toolCalls: [{ name: 'bash', arguments: { command: 'rm -r .' } }] }],
      prompt: 'First',
      at: {
        20: ({ send }) => void send({ type: 'prompt', text: 'Second' }),
        100: ({ send }) => void send({ type: 'compact' }),
      },
    })
    expect(lastSent(played, 'compact')?.failure).toMatchObject({ code: 'provider_error' })
    expect(only(played, 'compaction')).toEqual([])
    expect(only(played, 'tool_execution_start')).toEqual([])
  })

  it('is cancelled by abort, and refuses what would change the conversation meanwhile', () => {
    const meanwhile = ['prompt', 'compact', 'branch_session'] as const
    const played = compacted(() => NEVER, {
      at: {
        110: ({ send }) => {
          send({ type: 'prompt', text: 'Now' })
          send({ type: 'compact' })
          send({ type: 'branch_session', entryId: null })
        },
        120: ({ send }) => void send({ type: 'abort' }),
        130: ({ send }) => void send({ type: 'abort' }),
      },
    })
    const at = (time: number) => played.sent.filter(({ sentAt }) => sentAt === time)
    expect(at(110).map(({ command, failure }) => [command.type, (failure as Failure).code])).toEqual(
      meanwhile.map((type) => [type, 'busy']),
    )
    expect(at(100)).toMatchObject([{ failure: { code: 'cancelled' }, answeredAt: 120 }])
    expect([...at(120), ...at(130)].map(({ result }) => result)).toEqual([{ compaction: true }, {}])
    expect(played.requests.at(-1)?.messages).toHaveLength(7)
  })

  it('is refused during a run, and without anything to compact', () => {
    const busy = playSession({
      script: [{ text: 'slow', delayMs: 50 }],
      prompt: 'First',
      at: { 10: ({ send }) => void send({ type: 'compact' }) },
    })
    expect(lastSent(busy, 'compact')?.failure).toMatchObject({ code: 'busy' })
    const empty = playSession({ script: [], at: { 10: ({ send }) => void send({ type: 'compact' }) } })
    expect(lastSent(empty, 'compact')?.failure).toMatchObject({ code: 'bad_request' })
  })

  it('is undone by moving the head', () => {
    const played = compacted(() => of('They counted.'), {
      at: {
        150: (control: SessionControl) => {
          const { summaries } = control.session.state$.value
          const [node] = [...summaries.values()]
          control.send({ type: 'branch_session', entryId: node?.parentId ?? null })
        },
      },
    })
    expect(played.requests.at(-1)?.messages).toHaveLength(7)
  })

  it('answers a repeated command from the log', () => {
    const played = playSession({
      script: [long('one'), long('two')],
      prompt: 'First',
      options: { summariser: () => of('Short.'), compaction: { enabled: true } },
      at: {
        20: ({ send }) => void send({ type: 'prompt', text: 'Second' }),
        100: ({ send }) => void send({ type: 'compact' }, { opId: 'op' }),
        110: ({ send }) => void send({ type: 'compact' }, { opId: 'op' }),
      },
    })
    const [first, second] = played.sent.filter(({ command }) => command.type === 'compact')
    expect(second?.result).toEqual(first?.result)
    expect(only(played, 'compaction')).toHaveLength(1)
  })
})

describe('before a request', () => {
  const summariser$: Summariser = ({ messages }) => of(`${messages.length} messages`)

  it('compacts a conversation that fills the window, behind the prompt [LOOP-29c]', () => {
    const played = compacted(summariser$, { model: window(1_200), at: { 100: () => undefined } })
    const names = played.events.map(({ type }) => type)
    const at = names.indexOf('compaction')
    expect(only(played, 'compaction')[0]).toMatchObject({ reason: 'threshold' })
    const before = played.events.slice(0, at).findLast(({ type }) => type === 'message_end')
    expect(before).toMatchObject({ message: { role: 'user' } })
    const texts = played.requests.at(-1)?.messages.map(messageText)
    expect(texts?.[0]).toMatch(/messages/)
    expect(texts?.at(-1)).toBe('Fourth')
  })

  it('goes on with a warning, once a run, if the summariser fails', () => {
    const played = compacted(() => throwError(() => new Failure('provider_error', 'no')), {
      model: window(1_200),
      at: { 100: () => undefined },
    })
    expect(only(played, 'warning').length).toBeGreaterThan(0)
    expect(only(played, 'warning')[0]).toMatchObject({ code: 'compaction_failed' })
    expect(only(played, 'compaction')).toEqual([])
    expect(only(played, 'message_end')).toHaveLength(8)
  })

  it.each([
    ['the window is unknown', scriptedModel, {}],
    ['it is switched off', window(1_200), { compaction: { enabled: false } }],
  ])('does nothing if %s', (_, model, options) => {
    const played = compacted(summariser$, { model, options, at: { 100: () => undefined } })
    expect(only(played, 'compaction')).toEqual([])
  })

  it('is cancelled with its run', () => {
    const slow$: Summariser = () => timer(1_000).pipe(map(() => 'late'))
    const played = compacted(slow$, {
      model: window(1_200),
      at: { 100: () => undefined, 210: ({ send }) => void send({ type: 'abort' }) },
    })
    expect(only(played, 'compaction')).toEqual([])
    expect(only(played, 'agent_end').at(-1)).toMatchObject({ terminationReason: 'aborted' })
  })
})

describe('after an overflow', () => {
  const overflow = () => new Failure('provider_error', 'too long', { data: { kind: 'context_overflow' } })

  it('compacts once and repeats the request, also if the window is unknown', () => {
    const played = playSession({
      script: [long('one'), long('two'), overflow(), 'It fits now'],
      prompt: 'First',
      options: { summariser: () => of('Short.'), compaction: { enabled: true } },
      at: {
        20: ({ send }) => void send({ type: 'prompt', text: 'Second' }),
        40: ({ send }) => void send({ type: 'prompt', text: 'Third' }),
      },
    })
    expect(only(played, 'compaction')).toMatchObject([{ reason: 'overflow' }])
    expect(only(played, 'message_end').at(-1)).toMatchObject({ message: { role: 'assistant', stopReason: 'stop' } })
  })

  it('ends in the error if it does not fit then either', () => {
    const played = playSession({
      script: [long('one'), overflow(), overflow()],
      prompt: 'First',
      options: { summariser: () => of('Short.'), compaction: { enabled: true } },
      at: { 20: ({ send }) => void send({ type: 'prompt', text: 'Second' }) },
    })
    expect(only(played, 'agent_end').at(-1)).toMatchObject({ terminationReason: 'error' })
  })
})
