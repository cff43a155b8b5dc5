// Tests the session of a printed run: its request, its limits and its failures.
import { NEVER, Subject, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { SessionChoice } from '../../../../app/cli/invocation.ts'
import { fakeSession } from '../../../support/fake-session.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import { runId, stored, invocation, answer, end, start, runs, play, begin, made } from './print-scene.ts'

describe('the session of a print run', () => {
  const env = { HOME: '/home/me' }
  const requireModel = true
  it.each<[string, Partial<SessionChoice>, object]>([
    ['a new one', {}, { new: { cwd: '/here', env, requireModel } }],
    ['one that is not stored', { from: 'unstored' }, { new: { cwd: '/here', env, requireModel, store: false } }],
    ['one by its id', { from: { session: stored } }, { open: { cwd: '/here', env, requireModel, session: stored } }],
    ['the latest of the folder', { from: 'latest' }, { open: { cwd: '/here', env, requireModel, session: stored } }],
    [
      'what was chosen',
      { model: 'a/b', thinkingLevel: 'low', tools: ['read'], system: 'Be brief.' },
      {
        new: {
          cwd: '/here',
          env,
          requireModel,
          model: 'a/b',
          thinkingLevel: 'low',
          tools: ['read'],
          system: 'Be brief.',
        },
      },
    ],
  ])('is %s, with the environment of the caller [CLI-model]', async (_, choice, requests) => {
    const own = fakeWorld(runs(end()))
    const session = fakeSession({
      id: stored,
      cwd: '/here',
      answer: (command, self) => play(end(), command, self),
    })
    own.host.sessionsById.set(stored, session)
    await begin(own, invocation({}, choice))
    expect(own.host.requests[0]).toEqual(requests)
  })

  it('gets one prompt, with the limits of the command line', async () => {
    const own = fakeWorld(runs(end()))
    await begin(own, invocation({ limits: { turns: 4, usd: 1.5 } }))
    expect(made(own).sent).toEqual([{ command: { type: 'prompt', text: 'hi', limits: { turns: 4, usd: 1.5 } } }])
  })

  it('gets the remaining time as its wall-clock limit', async () => {
    const own = fakeWorld(runs(end()))
    await begin(own, invocation({ timeoutMs: 60_000 }))
    const [sent] = made(own).sent
    const wallClockMs = sent?.command.type === 'prompt' ? sent.command.limits?.wallClockMs : undefined
    expect(wallClockMs).toBeGreaterThan(50_000)
    expect(wallClockMs).toBeLessThanOrEqual(60_000)
  })

  it.each<[string, Partial<SessionChoice>, string]>([
    ['that is not there', { from: { session: stored } }, 'unknown_session'],
    ['of a folder that has none', { from: 'latest' }, 'unknown_session'],
    ['whose system prompt cannot be read', { system: '@/nowhere/at/all' }, 'bad_request'],
  ])('fails if it is one %s', async (_, choice, code) => {
    await expect(begin(fakeWorld(), invocation({}, choice))).rejects.toMatchObject({ code })
  })

  it('fails once if another process holds the lock, and sends no prompt', async () => {
    const session = fakeSession({ id: stored })
    const readOnly = new Failure('session_locked', 'held by process 7')
    const notices = [{ code: readOnly.code, message: readOnly.message }]
    const own = fakeWorld({ commands: { openSession: () => of({ session, readOnly, notices }) } })
    const begun = begin(own, invocation({}, { from: { session: stored } }))
    await expect(begun).rejects.toMatchObject({ code: 'session_locked', message: 'held by process 7' })
    expect([own.stdout.written, own.stderr.written, session.sent]).toEqual(['', '', []])
  })

  it('fails once if its log is damaged', async () => {
    const damage = new Failure('read_only', 'Line 8 is damaged')
    const answer$ = () => throwError(() => damage)
    const own = fakeWorld({ session: { answer: answer$ }, notices: [{ code: damage.code, message: damage.message }] })
    await expect(begin(own)).rejects.toMatchObject({ code: 'read_only', message: 'Line 8 is damaged' })
    expect(own.stderr.written).toBe('')
  })

  it('fails if a run is active', async () => {
    const own = fakeWorld({ session: { answer: () => throwError(() => new Failure('busy', 'a run is on')) } })
    await expect(begin(own)).rejects.toMatchObject({ code: 'busy' })
  })
})

describe('interrupting a print run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s aborts the run and waits until it is settled', async (signal, code) => {
    const settling$ = new Subject<object>()
    const own = fakeWorld({
      session: {
        answer: (command, session) => (command.type === 'abort' ? settling$ : play([], command, session)),
      },
    })
    let options: unknown
    void begin(own).then((value) => (options = value))
    own.signal(signal)
    await Promise.resolve()
    expect([options, made(own).sent.map(({ command }) => command.type)]).toEqual([undefined, ['prompt', 'abort']])
    for (const event of end({ terminationReason: 'aborted' })) made(own).record(event, { runId })
    await expect.poll(() => options, { timeout: 10_000 }).toBe(code)
  })

  it('cancels a prompt whose run has not started, and reports no error', async () => {
    const started$ = new Subject<object>()
    const own = fakeWorld({
      session: {
        answer: ({ type }) => {
          if (type === 'prompt') return started$
          started$.error(new Failure('cancelled', 'An abort came before the run had started'))
          return of({})
        },
      },
    })
    const code = begin(own)
    own.signal('SIGTERM')
    expect([await code, own.stderr.written]).toEqual([143, ''])
  })

  it('prints the part of the answer that was there, as at a time-out [KEYS-print]', async () => {
    const partial = answer('Half an ans', { stopReason: 'aborted' })
    const own = fakeWorld(runs(partial))
    const code = begin(own)
    own.signal('SIGINT')
    expect([await code, own.stdout.written]).toEqual([130, 'Half an ans\n'])
    expect(own.stderr.written).toContain('stopped by you after 0 s')
  })

  it('prints the last lines of the run in JSON mode', async () => {
    const own = fakeWorld(runs([]))
    const code = begin(own, invocation({ format: 'json' }))
    own.signal('SIGINT')
    expect(await code).toBe(130)
    expect(own.stdout.written.trimEnd().split('\n').at(-1)).toBe(made(own).lines.at(-1))
  })

  it('ends after 10 s if the run does not end', async () => {
    vi.useFakeTimers()
    const own = fakeWorld({
      session: { answer: (command, session) => (command.type === 'abort' ? NEVER : play([], command, session)) },
    })
    const code = begin(own)
    own.signal('SIGINT')
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect([await code, own.stderr.written]).toEqual([130, 'rxpi: the run did not end within 10 s\n'])
  })

  it('ends at once and opens no session before the run begins', async () => {
    const own = fakeWorld({ stdin$: NEVER })
    const code = begin(own)
    own.signal('SIGINT')
    expect([await code, own.host.requests]).toEqual([130, []])
  })

  it('reports a time-out before the run begins', async () => {
    vi.useFakeTimers()
    const own = fakeWorld({ stdin$: NEVER })
    const code = begin(own, invocation({ timeoutMs: 2_000 }))
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    expect([await code, own.stderr.written]).toEqual([124, 'rxpi: timed out before the run began\n'])
  })
})

describe('standard error of a print run', () => {
  const call = {
    type: 'toolCall',
    id: 'c1',
    name: 'bash',
    arguments: { command: `echo ${'long '.repeat(40)}` },
  } as const
  const working: AgentEvent[] = [
    ...answer('', { content: [call] }),
    { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', entryId: 'mmmmmmmm', args: call.arguments },
    { type: 'auto_retry', attempt: 2, delayMs: 2_000, kind: 'rate_limit' },
    { type: 'warning', code: 'x', message: 'careful\u001b[2J', recoverable: true },
    ...answer('Done.'),
    ...end(),
  ]

  it('has only notices, waits and warnings if it is not a terminal', async () => {
    const notices = [{ code: 'model_chosen', message: 'using fake/model' }]
    const own = fakeWorld({ ...runs(working), notices })
    await begin(own)
    expect(own.stderr.written).toBe(
      'rxpi: using fake/model\nrxpi: attempt 2 follows in 2 s (rate_limit)\nrxpi: careful\u001b[2J\n',
    )
  })

  it('has progress too on a terminal: shortened, dimmed and escaped [S19a]', async () => {
    const own = fakeWorld({ ...runs(working), terminals: ['stderr'], colours: true })
    await begin(own)
    const [tool, retry, warning] = own.stderr.written.split('\n\u001b[22m').join('\n').split('\n')
    expect(tool).toBe(`\u001b[2m· bash ${JSON.stringify(call.arguments).slice(0, 100)}…`)
    expect(retry).toBe('rxpi: attempt 2 follows in 2 s (rate_limit)')
    expect(warning).toBe('rxpi: careful␛[2J')
  })

  it.each([
    ['replay', 'rxpi: one differs\nrxpi: two differs\n'],
    ['another', ''],
  ])('has the replay remarks of the provider %s, and no other thinking', async (provider, reported) => {
    const content = ['[replay] one differs\ntwo differs', 'hm [replay] '].map((thinking) => ({
      type: 'thinking' as const,
      thinking,
    }))
    const own = fakeWorld(runs([start, ...answer('', { provider, content }), ...answer('Done.'), ...end()]))
    await begin(own)
    expect(own.stderr.written).toBe(reported)
  })

  it('has the notice of the model', async () => {
    const own = fakeWorld(runs(end()))
    const reported = [...answer('Done.'), ...end()]
    const session = fakeSession({ id: stored, answer: (command, self) => play(reported, command, self) })
    own.host.sessionsById.set(stored, { ...session, model: { ...session.model, notice: 'not a language model' } })
    await begin(own, invocation({}, { from: { session: stored } }))
    expect(own.stderr.written).toBe('rxpi: not a language model\n')
  })
})
