// Tests the summary of a branch that the session leaves.
import { EMPTY, NEVER, of, throwError, timer, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Summariser, SummaryRequest } from '../../../lib/streams/ports/agent-context.ts'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl } from '../../support/virtual-session.ts'

const only = ({ events }: PlayedSession, type: string) => events.filter((event) => event.type === type)
const firstOf = ({ session }: SessionControl): string => [...session.state$.value.entries.keys()][0] ?? ''

/** Sends a prompt at 0, `branch_session` to the first entry at 5, and another prompt at 100. */
function left(
  summariser: Summariser | undefined,
  more: Partial<SessionCommand> = {},
  then?: (control: SessionControl) => void,
) {
  return playSession({
    script: ['First answer', ...(summariser === undefined ? ['A summary of it'] : []), 'Second answer'],
    prompt: 'Hi',
    options: summariser === undefined ? {} : { summariser },
    at: {
      5: (control) => {
        control.send({ type: 'branch_session', entryId: firstOf(control), summarise: true, ...more } as SessionCommand)
      },
      6: (control) => then?.(control),
      100: ({ send }) => {
        send({ type: 'prompt', text: 'Again' })
      },
    },
  })
}
const codes = ({ sent }: PlayedSession) =>
  sent.map(({ failure }) => (failure instanceof Failure ? failure.code : undefined))

describe('branch_session with summarise', () => {
  it('writes the summary, moves the head behind it, and sends it to the model at the start of the new branch [EVENT-branch_summary]', () => {
    const sentRequests: SummaryRequest[] = []
    const played = left((request) => {
      sentRequests.push(request)
      return of('They said hello.')
    })
    const { entries, summaries } = played.session.state$.value
    const [user, answer] = [...entries.keys()]
    const [summary = ''] = [...summaries.keys()]
    expect(sentRequests).toMatchObject([{ reason: 'branch', messages: [{ role: 'assistant' }] }])
    expect(only(played, 'branch_summary')).toMatchObject([
      { entryId: summary, parentId: user, fromEntryId: answer, summary: 'They said hello.' },
    ])
    expect(only(played, 'head_moved')).toEqual([{ type: 'head_moved', entryId: summary, summaryEntryId: summary }])
    expect(played.sent.find(({ command }) => command.type === 'branch_session')?.result).toEqual({
      headEntryId: summary,
    })
    expect(played.requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Hi',
      expect.stringContaining('They said hello.'),
      'Again',
    ])
  })

  it('counts the tokens before and after [EVENT-branch_summary]', () => {
    const [event] = only(
      left(() => of('Short.')),
      'branch_summary',
    )
    expect(event).toMatchObject({
      tokensBefore: expect.any(Number) as number,
      tokensAfter: expect.any(Number) as number,
    })
    expect(event?.type === 'branch_summary' && event.tokensBefore * event.tokensAfter).toBeGreaterThan(0)
  })

  it("asks the session's own model, without tools, if there is no summariser", () => {
    const played = left(undefined)
    expect(only(played, 'branch_summary')).toMatchObject([{ summary: 'A summary of it' }])
    expect(played.requests[1]).toMatchObject({
      tools: [],
      messages: [{ content: expect.stringContaining('[assistant]\nFirst answer') as string }],
    })
    expect(played.requests).toHaveLength(3)
  })

  it('only moves the head if it leaves no entries', () => {
    const played = left(
      () => of('never'),
      {},
      ({ send, session }) => {
        send({ type: 'branch_session', entryId: session.state$.value.headEntryId, summarise: true })
      },
    )
    expect(only(played, 'branch_summary')).toHaveLength(1)
    expect(only(played, 'head_moved')).toHaveLength(2)
  })

  it.each<[string, Summariser, string]>([
    ['fails', () => throwError(() => new Failure('provider_error', 'no')), 'provider_error'],
    [
      'throws',
      () => {
        throw new Failure('internal', 'no')
      },
      'internal',
    ],
    ['says nothing', () => EMPTY, 'internal'],
  ])('changes nothing if the summariser %s', (_, summariser, code) => {
    const played = left(summariser)
    expect(codes(played)).toContain(code)
    expect([...only(played, 'branch_summary'), ...only(played, 'head_moved')]).toEqual([])
    expect(played.requests.at(-1)?.messages).toHaveLength(3)
  })

  it('is refused if the session changed meanwhile', () => {
    const slow$: Summariser = () => timer(50).pipe(map(() => 'late'))
    const played = left(slow$, {}, ({ send }) => {
      send({ type: 'branch_session', entryId: null })
    })
    expect(codes(played)).toContain('busy')
    expect(only(played, 'branch_summary')).toEqual([])
  })

  it('ends when the session is closed', () => {
    let ended = false
    const played = playSession({
      script: ['First answer'],
      prompt: 'Hi',
      options: { summariser: () => NEVER },
      at: {
        5: (control) => {
          control.send({ type: 'branch_session', entryId: firstOf(control), summarise: true })
        },
        6: ({ session }) => {
          session.close().subscribe({ complete: () => (ended = true) })
        },
      },
    })
    expect([ended, codes(played)]).toEqual([true, [undefined, 'unknown_session']])
  })

  it.each([{ newFile: true }, { restoreFiles: true }, { dryRun: true }])('refuses %j', (more) => {
    const played = left(() => of('never'), more)
    expect(codes(played)).toContain('bad_request')
    expect(only(played, 'branch_summary')).toEqual([])
  })

  it('acts once for one opId', () => {
    const sentRequests: SummaryRequest[] = []
    const played = playSession({
      script: ['First answer'],
      prompt: 'Hi',
      options: {
        summariser: (request) => {
          sentRequests.push(request)
          return of('Once.')
        },
      },
      at: {
        5: (control) => {
          const command = { type: 'branch_session', entryId: firstOf(control), summarise: true } as const
          control.send(command, { opId: 'op' })
        },
        6: (control) => {
          const command = { type: 'branch_session', entryId: firstOf(control), summarise: true } as const
          control.send(command, { opId: 'op' })
        },
      },
    })
    const answers = played.sent.slice(1).map(({ result }) => result)
    expect([sentRequests.length, only(played, 'branch_summary').length, answers[0]]).toEqual([1, 1, answers[1]])
  })
  it.each([
    ['a shell command of the user, as a user message', false, ['user']],
    ['no excluded shell command, and then writes no summary', true, undefined],
  ])('summarises %s', (_, exclude, roles) => {
    const sentRequests: SummaryRequest[] = []
    const played = playSession({
      script: ['First answer'],
      prompt: 'Hi',
      options: {
        summariser: (request) => {
          sentRequests.push(request)
          return of('They listed the files.')
        },
      },
      userShell: () => of({ type: 'end', output: 'secret.txt', exitCode: 0, truncated: false }),
      at: {
        5: ({ send }) => {
          send({ type: 'user_bash', command: 'ls', exclude })
        },
        10: ({ send, session }) => {
          const entryId = [...session.state$.value.entries.keys()][1] ?? ''
          send({ type: 'branch_session', entryId, summarise: true })
        },
      },
    })
    expect(codes(played)).toEqual([undefined, undefined, undefined])
    expect(sentRequests.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
      roles === undefined ? [] : [roles],
    )
    expect(only(played, 'branch_summary')).toHaveLength(sentRequests.length)
    expect(JSON.stringify(sentRequests).includes('secret.txt')).toBe(!exclude)
  })
})
