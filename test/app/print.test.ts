import { NEVER, Observable, Subject, firstValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { AgentEvent, EventNamed } from '../../lib/streams/event.ts'
import { Failure } from '../../lib/streams/failure.ts'
import { noUsage } from '../../lib/streams/message.ts'
import type { AssistantMessage } from '../../lib/streams/message.ts'
import type { SessionCommand } from '../../lib/session/session.ts'
import type { PrintInvocation, SessionChoice } from '../../app/invocation.ts'
import { print } from '../../app/print.ts'
import { fakeSession } from '../support/fake-session.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { fakeWorld } from '../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../support/fake-world.ts'
import { scriptedRun } from '../support/scripted-run.ts'

const runId = 'rrrrrrrr'
const stored = 'aaaaaaaaaaaa'

function invocation(more: Partial<PrintInvocation> = {}, choice: Partial<SessionChoice> = {}): PrintInvocation {
  return {
    mode: 'print',
    format: 'text',
    words: 'hi',
    files: [],
    stdin: 'added',
    limits: {},
    choice: { cwd: '/here', from: 'new', ...choice },
    ...more,
  }
}

function answer(text: string, more: Partial<AssistantMessage> = {}): AgentEvent[] {
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    api: 'fake',
    provider: 'fake',
    model: 'model',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: 1,
    ...more,
  }
  return [
    { type: 'message_start', entryId: 'mmmmmmmm', parentId: null, message: { ...message, content: [] } },
    { type: 'message_end', entryId: 'mmmmmmmm', parentId: null, message },
  ]
}

function end(more: Partial<EventNamed<'agent_end'>> = {}): AgentEvent[] {
  return [
    { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1, terminationReason: 'completed', ...more },
    { type: 'agent_settled' },
  ]
}

const start: AgentEvent = { type: 'agent_start', model: 'fake/model', tools: [], thinkingLevel: 'off' }

/** A session that answers a prompt with these events, and an abort with the run's end. */
function runs(events: readonly AgentEvent[]): FakeWorldOptions {
  return { session: { answer: (command, session) => play(events, command, session) } }
}

function play(events: readonly AgentEvent[], command: SessionCommand, session: FakeSession): Observable<object> {
  const record = (all: readonly AgentEvent[]): void => {
    for (const event of all) session.record(event, { runId })
  }
  if (command.type === 'prompt') record([start, ...events])
  if (command.type === 'abort') record(end({ terminationReason: 'aborted' }))
  return of(command.type === 'prompt' ? { status: 'started', runId } : {})
}

function begin(own: FakeWorld, asked = invocation()): Promise<unknown> {
  return firstValueFrom(print(asked, own.world), { defaultValue: 'no code' })
}

function made(own: FakeWorld): FakeSession {
  const [session] = [...own.host.stored.values()].slice(-1)
  if (session === undefined) throw new Error('no session was made')
  return session
}

describe('print in text mode', () => {
  it.each<[string, AgentEvent[], string]>([
    ['the answer', answer('Hello'), 'Hello\n'],
    ['an answer that ends its own line', answer('Hello\n'), 'Hello\n'],
    ['the last answer only', [...answer('first'), ...answer('last')], 'last\n'],
    [
      'the text of an answer with other blocks',
      answer('', {
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
          { type: 'toolCall', id: '1', name: 'x', arguments: {} },
          { type: 'text', text: 'b' },
        ],
      }),
      'a\nb\n',
    ],
  ])('writes %s [CLI-print]', async (_, events, wanted) => {
    const own = fakeWorld(runs([...events, ...end()]))
    expect([await begin(own), own.stdout.kept, own.stderr.kept]).toEqual([0, wanted, ''])
  })

  it('writes nothing for an answer without text, and says so; that is no failure [CLI-print]', async () => {
    const own = fakeWorld(runs([...answer('first'), ...answer(''), ...end()]))
    expect(await begin(own)).toBe(0)
    expect([own.stdout.kept, own.stderr.kept]).toEqual(['', 'rxpi: the model answered without a word\n'])
  })

  it('says that an answer was cut at the output limit', async () => {
    const own = fakeWorld(runs([...answer('He', { stopReason: 'length' }), ...end()]))
    expect([await begin(own), own.stdout.kept]).toEqual([0, 'He\n'])
    expect(own.stderr.kept).toBe('rxpi: the answer was cut: the model reached its output limit\n')
  })

  it('fails where the log takes no more: the run’s end will not be seen', async () => {
    const status: AgentEvent = { type: 'status', code: 'storage', message: 'disk full', recoverable: true }
    const own = fakeWorld(runs([...answer('Hello'), status]))
    await expect(begin(own)).rejects.toMatchObject({ code: 'storage', message: 'disk full' })
    expect(own.stdout.kept).toBe('')
  })

  it('writes nothing before the end', () => {
    const own = fakeWorld(runs(answer('Hello')))
    void begin(own)
    expect(own.stdout.kept).toBe('')
  })

  it('makes what a model says harmless on a terminal, and nowhere else [S19a]', async () => {
    const run = runs([...answer('\u001b[2Jgone'), ...end()])
    const terminal = fakeWorld({ ...run, terminals: ['stdout'] })
    const pipe = fakeWorld(run)
    await begin(terminal)
    await begin(pipe)
    expect([terminal.stdout.kept, pipe.stdout.kept]).toEqual(['␛[2Jgone\n', '\u001b[2Jgone\n'])
  })

  it.each<[Partial<EventNamed<'agent_end'>>, number, string]>([
    [
      { terminationReason: 'error', error: { code: 'provider_error', message: 'key\nrefused' } },
      3,
      'rxpi: key refused\n',
    ],
    [
      { terminationReason: 'stopped', stopRule: 'maxTurns', totalTurns: 4 },
      4,
      'rxpi: stopped after 4 turns by maxTurns\nrxpi: rxpi -c -p "Go on" goes on from here\n',
    ],
    [
      { terminationReason: 'budget_exceeded', stopRule: 'spent' },
      4,
      'rxpi: stopped after 1 turn: the budget is spent\nrxpi: rxpi -c -p "Go on" goes on from here\n',
    ],
    [
      { terminationReason: 'error', error: { code: 'provider_error', message: 'refused', data: { kind: 'auth' } } },
      3,
      'rxpi: refused\nrxpi: rxpi auth list says where the key comes from, rxpi auth set <provider> stores another\n',
    ],
    [{ terminationReason: 'wall_clock_timeout' }, 124, 'rxpi: timed out after 1 turn\n'],
    [{ terminationReason: 'stopped', stopRule: 'calledTool' }, 0, ''],
    [{ terminationReason: 'terminated' }, 0, ''],
    [{ terminationReason: 'error' }, 1, 'rxpi: the run failed after 1 turn\n'],
    [{ terminationReason: 'server_shutdown' }, 143, 'rxpi: the run ended after 1 turn: server shutdown\n'],
  ])('for %j gives what there is, the code and the reason', async (more, code, reason) => {
    const own = fakeWorld(runs([...answer('so far'), ...end(more)]))
    expect([await begin(own), own.stdout.kept, own.stderr.kept]).toEqual([code, 'so far\n', reason])
  })

  it('waits for its own run, not for one that another client began', async () => {
    const own = fakeWorld({
      session: {
        answer: (command, session) => {
          for (const event of [start, ...answer('other'), ...end()]) session.record(event, { runId: 'oooooooo' })
          return play([...answer('mine'), ...end()], command, session)
        },
      },
    })
    await begin(own)
    expect(own.stdout.kept).toBe('mine\n')
  })
})

describe('print in JSON mode', () => {
  it('writes line 1 and the numbered lines, byte for byte, as they come [CLI-json]', async () => {
    const own = fakeWorld(runs(scriptedRun(['a\u2028', '\u001b[1m']).slice(1, -2)))
    const code = begin(own, invocation({ format: 'json' }))
    const lines = (): string[] => [made(own).headerLine, ...made(own).lines]
    expect(own.stdout.kept).toBe(lines().join('\n') + '\n')
    for (const event of end()) made(own).record(event, { runId })
    expect([await code, own.stdout.kept]).toEqual([0, lines().join('\n') + '\n'])
  })

  it('of a session that is continued writes line 1 and the lines of this run', async () => {
    const own = fakeWorld()
    const session = fakeSession({
      id: stored,
      answer: (command, self) => play([...answer('b'), ...end()], command, self),
    })
    own.host.stored.set(stored, session)
    for (const event of [start, ...answer('a'), ...end()]) session.record(event, { runId: 'oooooooo' })
    const before = session.lines.length
    expect(await begin(own, invocation({ format: 'json' }, { from: { session: stored } }))).toBe(0)
    expect(own.stdout.kept.trimEnd().split('\n')).toEqual([session.headerLine, ...session.lines.slice(before)])
  })

  it('loses and repeats nothing for a reader that is slow, and holds little for it', async () => {
    const long = 'x'.repeat(300_000)
    const own = fakeWorld(runs([]))
    own.stdout.hold()
    const code = begin(own, invocation({ format: 'json' }))
    for (let index = 0; index < 20; index++)
      for (const event of answer(`${index}${long}`)) made(own).record(event, { runId })
    for (const event of end()) made(own).record(event, { runId })
    expect(own.stdout.writableLength).toBeLessThan(2_000_000)
    own.stdout.release()
    expect(await code).toBe(0)
    expect(own.stdout.kept.trimEnd().split('\n')).toEqual([made(own).headerLine, ...made(own).lines])
    expect(made(own).sent).toHaveLength(1)
  })

  it('ends the run quietly when its reader has gone', async () => {
    const own = fakeWorld(runs(answer('a')))
    own.stdout.breakWith('EPIPE')
    expect(await begin(own, invocation({ format: 'json' }))).toBe(1)
    expect(made(own).sent.map(({ command }) => command.type)).toEqual(['prompt', 'abort'])
    expect(own.stderr.kept).toBe('')
  })

  it('ends the run when its output cannot be written; why is said where all commands end', async () => {
    const own = fakeWorld(runs(answer('a')))
    own.stdout.breakWith('ENOSPC')
    expect(await begin(own, invocation({ format: 'json' }))).toBe(1)
    expect(made(own).sent.map(({ command }) => command.type)).toEqual(['prompt', 'abort'])
    expect(own.stderr.kept).toBe('')
  })

  it('has the same exit codes [EXIT-run]', async () => {
    const own = fakeWorld(runs(end({ terminationReason: 'idle_timeout' })))
    expect(await begin(own, invocation({ format: 'json' }))).toBe(3)
  })
})

describe('the session that is printed', () => {
  const env = { HOME: '/home/me' }
  it.each<[string, Partial<SessionChoice>, object]>([
    ['a new one', {}, { new: { cwd: '/here', env } }],
    ['one that is not stored', { from: 'unstored' }, { new: { cwd: '/here', env, store: false } }],
    ['one by its id', { from: { session: stored } }, { open: { cwd: '/here', env, session: stored } }],
    ['the latest of the folder', { from: 'latest' }, { open: { cwd: '/here', env, session: stored } }],
    [
      'what was chosen',
      { model: 'a/b', thinkingLevel: 'low', tools: ['read'], system: 'Be brief.' },
      { new: { cwd: '/here', env, model: 'a/b', thinkingLevel: 'low', tools: ['read'], system: 'Be brief.' } },
    ],
  ])('is %s, with the caller’s environment', async (_, choice, asked) => {
    const own = fakeWorld(runs(end()))
    const session = fakeSession({
      id: stored,
      cwd: '/here',
      answer: (command, self) => play(end(), command, self),
    })
    own.host.stored.set(stored, session)
    await begin(own, invocation({}, choice))
    expect(own.host.asked[0]).toEqual(asked)
  })

  it('is asked once, with the limits that were given', async () => {
    const own = fakeWorld(runs(end()))
    await begin(own, invocation({ limits: { turns: 4, usd: 1.5 } }))
    expect(made(own).sent).toEqual([{ command: { type: 'prompt', text: 'hi', limits: { turns: 4, usd: 1.5 } } }])
  })

  it('gets as wall clock what is left of the time', async () => {
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
  ])('%s is a failure', async (_, choice, code) => {
    await expect(begin(fakeWorld(), invocation({}, choice))).rejects.toMatchObject({ code })
  })

  it('that another process holds is a failure, said once, and is not followed', async () => {
    const session = fakeSession({ id: stored })
    const readOnly = new Failure('session_locked', 'held by process 7')
    const notices = [{ code: readOnly.code, message: readOnly.message }]
    const own = fakeWorld({ commands: { openSession: () => of({ session, readOnly, notices }) } })
    const begun = begin(own, invocation({}, { from: { session: stored } }))
    await expect(begun).rejects.toMatchObject({ code: 'session_locked', message: 'held by process 7' })
    expect([own.stdout.kept, own.stderr.kept, session.sent]).toEqual(['', '', []])
  })

  it('whose log is damaged is a failure, said once', async () => {
    const damage = new Failure('read_only', 'Line 8 is damaged')
    const answer$ = () => throwError(() => damage)
    const own = fakeWorld({ session: { answer: answer$ }, notices: [{ code: damage.code, message: damage.message }] })
    await expect(begin(own)).rejects.toMatchObject({ code: 'read_only', message: 'Line 8 is damaged' })
    expect(own.stderr.kept).toBe('')
  })

  it('that is busy is a failure', async () => {
    const own = fakeWorld({ session: { answer: () => throwError(() => new Failure('busy', 'a run is on')) } })
    await expect(begin(own)).rejects.toMatchObject({ code: 'busy' })
  })
})

describe('an interrupt', () => {
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
    let given: unknown
    void begin(own).then((value) => (given = value))
    own.signal(signal)
    await Promise.resolve()
    expect([given, made(own).sent.map(({ command }) => command.type)]).toEqual([undefined, ['prompt', 'abort']])
    for (const event of end({ terminationReason: 'aborted' })) made(own).record(event, { runId })
    await expect.poll(() => given).toBe(code)
  })

  it('shows the run’s last lines in JSON mode', async () => {
    const own = fakeWorld(runs([]))
    const code = begin(own, invocation({ format: 'json' }))
    own.signal('SIGINT')
    expect(await code).toBe(130)
    expect(own.stdout.kept.trimEnd().split('\n').at(-1)).toBe(made(own).lines.at(-1))
  })

  it('is not waited for longer than 10 s', async () => {
    vi.useFakeTimers()
    const own = fakeWorld({
      session: { answer: (command, session) => (command.type === 'abort' ? NEVER : play([], command, session)) },
    })
    const code = begin(own)
    own.signal('SIGINT')
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect([await code, own.stderr.kept]).toEqual([130, 'rxpi: the run did not end within 10 s\n'])
  })

  it('before the run ends at once, without a session', async () => {
    const own = fakeWorld({ stdin$: NEVER })
    const code = begin(own)
    own.signal('SIGINT')
    expect([await code, own.host.asked]).toEqual([130, []])
  })

  it('by the time-out before the run says so', async () => {
    vi.useFakeTimers()
    const own = fakeWorld({ stdin$: NEVER })
    const code = begin(own, invocation({ timeoutMs: 2_000 }))
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    expect([await code, own.stderr.kept]).toEqual([124, 'rxpi: timed out before the run began\n'])
  })
})

describe('what people are told', () => {
  const call = {
    type: 'toolCall',
    id: 'c1',
    name: 'bash',
    arguments: { command: `echo ${'long '.repeat(40)}` },
  } as const
  const working: AgentEvent[] = [
    ...answer('', { content: [call] }),
    { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', entryId: 'mmmmmmmm', args: call.arguments },
    { type: 'auto_retry', attempt: 1, delayMs: 2_000, kind: 'rate_limit' },
    { type: 'warning', code: 'x', message: 'careful\u001b[2J', recoverable: true },
    ...answer('Done.'),
    ...end(),
  ]

  it('are notices and warnings where nobody watches', async () => {
    const notices = [{ code: 'model_chosen', message: 'using fake/model' }]
    const own = fakeWorld({ ...runs(working), notices })
    await begin(own)
    expect(own.stderr.kept).toBe('rxpi: using fake/model\nrxpi: careful\u001b[2J\n')
  })

  it('is progress too on a terminal, shortened, dimmed and harmless [S19a]', async () => {
    const own = fakeWorld({ ...runs(working), terminals: ['stderr'], colours: true })
    await begin(own)
    const [tool, retry, warning] = own.stderr.kept.split('\n\u001b[22m').join('\n').split('\n')
    expect(tool).toBe(`\u001b[2m· bash ${JSON.stringify(call.arguments).slice(0, 100)}…`)
    expect(retry).toBe('\u001b[2m· trying again in 2 s (rate_limit)')
    expect(warning).toBe('rxpi: careful␛[2J')
  })

  it.each([
    ['replay', 'rxpi: one differs\nrxpi: two differs\n'],
    ['another', ''],
  ])('is what %s says of its record, and no other thinking', async (provider, told) => {
    const content = ['[replay] one differs\ntwo differs', 'hm [replay] '].map((thinking) => ({
      type: 'thinking' as const,
      thinking,
    }))
    const own = fakeWorld(runs([start, ...answer('', { provider, content }), ...answer('Done.'), ...end()]))
    await begin(own)
    expect(own.stderr.kept).toBe(told)
  })

  it('is that the model is none, where its descriptor says so', async () => {
    const own = fakeWorld(runs(end()))
    const told = [...answer('Done.'), ...end()]
    const session = fakeSession({ id: stored, answer: (command, self) => play(told, command, self) })
    own.host.stored.set(stored, { ...session, model: { ...session.model, notice: 'not a language model' } })
    await begin(own, invocation({}, { from: { session: stored } }))
    expect(own.stderr.kept).toBe('rxpi: not a language model\n')
  })
})

describe('without -p and without piped input', () => {
  it('an option that asks for more is refused by name', async () => {
    const own = fakeWorld({ stdin$: of() })
    const asked = invocation({ words: '', stdin: 'only', loneOption: 'model' })
    await expect(begin(own, asked)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^--model needs -p/) as string,
    })
  })

  it('the help is printed', async () => {
    const own = fakeWorld({ stdin$: of() })
    expect(await begin(own, invocation({ words: '', stdin: 'only' }))).toBe(0)
    expect(own.stdout.kept).toMatch(/^rxpi — a coding agent/)
    expect(own.host.asked).toEqual([])
  })
})
