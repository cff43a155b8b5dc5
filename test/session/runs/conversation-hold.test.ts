// Tests what a compaction or a restore in progress does to prompts, commands and the ends of jobs.
import { NEVER, delay, map, of, tap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../../../lib/session/contract/session-parts.ts'
import { bashExecutionIn } from '../../../lib/streams/messages/bash-execution.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { Snapshots } from '../../../lib/streams/ports/snapshots.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { conversationHold } from '../../../lib/session/runs/conversation-hold.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'

/** Milliseconds that a summary, a restore and the preparation of an input with a slash take. */
const slowMs = 50

/** A command that ends after `ms`. */
const shellOf =
  (ms: number): UserShell =>
  () =>
    timer(ms).pipe(map(() => ({ type: 'end', output: 'listed', exitCode: 0, truncated: false }) as const))

const snapshots: Snapshots = {
  take: () => of({ type: 'taken', snapshot: 's1', files: 1, notKept: 0, pruned: 0 } as const),
  changes: () => of({ snapshotBefore: 's2', changes: [], conflicts: [], kept: [] }).pipe(delay(slowMs)),
  restore: () => NEVER,
}

const options: SessionOptions = {
  summariser: () => of('They counted.').pipe(delay(slowMs)),
  compaction: { enabled: true },
  snapshots,
  commands: {
    list: () => of({ commands: [], problems: [] }),
    expand: (text) =>
      of({ text: `${text}, expanded`, invocation: { kind: 'template', name: 'late' } as const }).pipe(delay(slowMs)),
  },
}

const long = (word: string): string => `${word} `.repeat(400)
const act = fakeTool('act', 'done')

/** Two prompts, the second of which may change files; the rest happens from 100 ms on. */
function held(at: SessionScene['at'], more: Partial<SessionScene> = {}): PlayedSession {
  return playSession({
    script: [long('one'), { toolCalls: [{ name: 'act' }] }, long('two'), 'Last answer'],
    tools: [act],
    prompt: 'First',
    options,
    ...more,
    at: { 20: ({ send }) => send({ type: 'prompt', text: 'Second' }), ...at },
  })
}

const sentAs = ({ sent }: PlayedSession, type: string) => sent.findLast(({ command }) => command.type === type)
const starts = ({ events }: PlayedSession): number => events.filter(({ type }) => type === 'agent_start').length

describe('a prompt whose input is still being expanded', () => {
  it.each(['compact', 'undo'] as const)('starts no run while `%s` holds the conversation', (type) => {
    const played = held({
      100: ({ send }) => send({ type: 'prompt', text: '/late' }),
      120: ({ send }) => send({ type }),
    })
    expect(sentAs(played, type)?.result).toBeDefined()
    expect(sentAs(played, 'prompt')).toMatchObject({ failure: { code: 'busy' }, answeredAt: 100 + slowMs })
    expect(starts(played)).toBe(2)
  })

  it('starts its run afterwards', () => {
    const played = held({
      100: ({ send }) => send({ type: 'compact' }),
      1_000: ({ send }) => send({ type: 'prompt', text: '/late' }),
    })
    expect(played.requests.at(-1)?.messages.map(messageText).at(-1)).toBe('/late, expanded')
  })

  it('starts no run of `Session.run` either', () => {
    let code: unknown
    const played = held({
      100: ({ session }) =>
        session.run('/late').subscribe({ error: (error: unknown) => (code = Failure.from(error).code) }),
      120: ({ send }) => send({ type: 'compact' }),
    })
    expect([code, starts(played)]).toEqual(['busy', 2])
    expect(sentAs(played, 'compact')?.result).toBeDefined()
  })

  it('is cancelled by an abort, also if `Session.run` sent it', () => {
    let code: unknown
    const played = held({
      100: ({ session }) =>
        session.run('/late').subscribe({ error: (error: unknown) => (code = Failure.from(error).code) }),
      120: ({ send }) => send({ type: 'abort' }),
    })
    expect([code, starts(played)]).toEqual(['cancelled', 2])
  })
})

it.each([
  ['undo', 'busy'],
  ['abort', 'cancelled'],
] as const)('a `continue` whose model is still being loaded starts no run after `%s`', (type, code) => {
  let isLate = false
  const played = held(
    {
      100: ({ send }) => {
        isLate = true
        send({ type: 'follow_up', text: 'Third' })
        send({ type: 'continue' })
      },
      120: ({ send }) => send({ type }),
    },
    { pendingModel: () => (isLate ? timer(slowMs).pipe(tap(() => (isLate = false))) : undefined) },
  )
  expect(sentAs(played, 'continue')).toMatchObject({ failure: { code } })
  expect(starts(played)).toBe(2)
})

describe('a command that is repeated under its opId', () => {
  it.each(['compact', 'undo'] as const)('gets its own result: `%s`, while it holds the conversation', (type) => {
    const again = ({ send }: SessionControl): void => void send({ type }, { opId: 'op' })
    const { sent } = held({ 100: again, 120: again })
    const [first, second] = sent.slice(-2)
    expect(first?.result).toBeDefined()
    expect(second).toMatchObject({ result: first?.result, answeredAt: first?.answeredAt })
  })

  it('gets the result of its run while another client compacts', () => {
    const again = ({ send }: SessionControl): void => void send({ type: 'prompt', text: 'Third' }, { opId: 'op' })
    const { sent } = held({ 90: again, 300: ({ send }) => send({ type: 'compact' }), 320: again })
    const [first, , second] = sent.slice(-3)
    expect(first?.result).toMatchObject({ status: 'started' })
    expect(second).toMatchObject({ result: first?.result, answeredAt: 320 })
  })
})

describe('the end of a command during', () => {
  it('a compaction does not waste the summary: its message follows it', () => {
    const played = held(
      { 90: ({ send }) => send({ type: 'user_bash', command: 'ls' }), 100: ({ send }) => send({ type: 'compact' }) },
      { userShell: shellOf(30) },
    )
    expect(sentAs(played, 'compact')?.result).toMatchObject({ entryId: expect.any(String) as string })
    const messages = contextMessages(played.session.state$.value)
    expect(messages.slice(0, 1).map(messageText)).toEqual([expect.stringContaining('They counted.')])
    expect(messages.slice(-1).map(bashExecutionIn)).toMatchObject([{ command: 'ls' }])
  })

  it('the summary of a branch does not waste it: its message stands where the conversation goes on', () => {
    const summarise = { type: 'branch_session', entryId: null, summarise: true } as const
    const played = held(
      { 90: ({ send }) => send({ type: 'user_bash', command: 'ls' }), 100: ({ send }) => send(summarise) },
      { userShell: shellOf(30) },
    )
    expect(sentAs(played, 'branch_session')).toMatchObject({
      result: expect.anything() as unknown,
      answeredAt: 100 + slowMs,
    })
    const messages = contextMessages(played.session.state$.value)
    expect(messages.map(messageText)).toEqual([expect.stringContaining('They counted.'), expect.any(String)])
    expect(messages.slice(-1).map(bashExecutionIn)).toMatchObject([{ command: 'ls' }])
  })

  it('an undo is known where the conversation goes on', () => {
    const played = held(
      { 90: ({ send }) => send({ type: 'user_bash', command: 'ls' }), 100: ({ send }) => send({ type: 'undo' }) },
      { userShell: shellOf(30) },
    )
    expect(sentAs(played, 'undo')?.result).toBeDefined()
    expect(transcript(played.session.state$.value).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'bashExecution',
    ])
  })
})

it('a command of the user waits for no hook into a compaction', () => {
  const hooks = { userCommand: () => of({}).pipe(delay(slowMs)) }
  const played = held(
    { 100: ({ send }) => send({ type: 'user_bash', command: 'ls' }), 120: ({ send }) => send({ type: 'compact' }) },
    { userShell: shellOf(1), options: { ...options, hooks } },
  )
  expect(sentAs(played, 'user_bash')?.failure).toMatchObject({ code: 'busy' })
})

describe('conversationHold', () => {
  it('has one holder, and is free again once that has let go', () => {
    const hold = conversationHold()
    const ends: string[] = []
    const wait = (name: string): void => void hold.free().subscribe({ complete: () => ends.push(name) })
    wait('at once')
    const release = hold.begin('restore')
    wait('later')
    expect([hold.holder, ends]).toEqual(['restore', ['at once']])
    expect(() => hold.check()).toThrow('Files are being restored')
    expect(() => hold.begin('compaction')).toThrow('Files are being restored')
    release()
    expect([hold.holder, ends]).toEqual([undefined, ['at once', 'later']])
    hold.check()
  })
})
