// Tests the output of print mode.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../../lib/streams/events/event.ts'
import { fakeSession } from '../../../support/fake-session.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import { scriptedRun } from '../../../support/scripted-run.ts'
import { runId, stored, invocation, answer, end, start, runs, play, begin, made } from './print-scene.ts'

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
    expect([await begin(own), own.stdout.written, own.stderr.written]).toEqual([0, wanted, ''])
  })

  it('prints nothing for an empty answer, reports it, and returns exit code 0 [CLI-print]', async () => {
    const own = fakeWorld(runs([...answer('first'), ...answer(''), ...end()]))
    expect(await begin(own)).toBe(0)
    expect([own.stdout.written, own.stderr.written]).toEqual(['', 'rxpi: the answer of the model is empty\n'])
  })

  it('reports an answer that was cut at the output limit', async () => {
    const own = fakeWorld(runs([...answer('He', { stopReason: 'length' }), ...end()]))
    expect([await begin(own), own.stdout.written]).toEqual([0, 'He\n'])
    expect(own.stderr.written).toBe('rxpi: the answer was cut: the model reached its output limit\n')
  })

  it('fails if the log cannot be written any more', async () => {
    const status: AgentEvent = { type: 'status', code: 'storage', message: 'disk full', recoverable: true }
    const own = fakeWorld(runs([...answer('Hello'), status]))
    await expect(begin(own)).rejects.toMatchObject({ code: 'storage', message: 'disk full' })
    expect(own.stdout.written).toBe('')
  })

  it('prints nothing before the end of the run', () => {
    const own = fakeWorld(runs(answer('Hello')))
    void begin(own)
    expect(own.stdout.written).toBe('')
  })

  it('escapes the answer on a terminal only [S19a]', async () => {
    const run = runs([...answer('\u001b[2Jgone'), ...end()])
    const terminal = fakeWorld({ ...run, terminals: ['stdout'] })
    const pipe = fakeWorld(run)
    await begin(terminal)
    await begin(pipe)
    expect([terminal.stdout.written, pipe.stdout.written]).toEqual(['␛[2Jgone\n', '\u001b[2Jgone\n'])
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
      'rxpi: stopped after 4 turns by maxTurns\nrxpi: to continue: rxpi -c -p "Go on"\n',
    ],
    [
      { terminationReason: 'budget_exceeded', stopRule: 'spent' },
      4,
      'rxpi: stopped after 1 turn: the budget is spent\nrxpi: to continue: rxpi -c -p "Go on"\n',
    ],
    [
      { terminationReason: 'error', error: { code: 'provider_error', message: 'refused', data: { kind: 'auth' } } },
      3,
      'rxpi: refused\nrxpi: rxpi auth list prints the source of the key; rxpi auth set <provider> stores another\n',
    ],
    [{ terminationReason: 'wall_clock_timeout' }, 124, 'rxpi: timed out after 1 turn\n'],
    [{ terminationReason: 'stopped', stopRule: 'calledTool' }, 0, ''],
    [{ terminationReason: 'terminated' }, 0, ''],
    [{ terminationReason: 'error' }, 1, 'rxpi: the run failed after 1 turn\n'],
    [
      { terminationReason: 'server_shutdown' },
      143,
      'rxpi: the server was ended while answering. Send "continue" to go on.\n',
    ],
    [{ terminationReason: 'crashed' }, 1, 'rxpi: the server stopped while answering. Send "continue" to go on.\n'],
    [{ terminationReason: 'aborted', durationMs: 72_400 }, 130, 'rxpi: stopped by you after 1 min 12 s\n'],
  ])(
    'for %j prints the partial answer and the reason, and returns the exit code [FIRST-results]',
    async (more, code, reason) => {
      const own = fakeWorld(runs([...answer('so far'), ...end(more)]))
      expect([await begin(own), own.stdout.written, own.stderr.written]).toEqual([code, 'so far\n', reason])
    },
  )

  it('waits for its own run, not for the run of another client', async () => {
    const own = fakeWorld({
      session: {
        answer: (command, session) => {
          for (const event of [start, ...answer('other'), ...end()]) session.record(event, { runId: 'oooooooo' })
          return play([...answer('mine'), ...end()], command, session)
        },
      },
    })
    await begin(own)
    expect(own.stdout.written).toBe('mine\n')
  })
})

describe('print in JSON mode', () => {
  it('prints line 1 and the numbered lines of the log at once, byte for byte [CLI-json]', async () => {
    const own = fakeWorld(runs(scriptedRun(['a\u2028', '\u001b[1m']).slice(1, -2)))
    const code = begin(own, invocation({ format: 'json' }))
    const lines = (): string[] => [made(own).headerLine, ...made(own).lines]
    expect(own.stdout.written).toBe(lines().join('\n') + '\n')
    for (const event of end()) made(own).record(event, { runId })
    expect([await code, own.stdout.written]).toEqual([0, lines().join('\n') + '\n'])
  })

  it('prints line 1 and the lines of this run for a continued session', async () => {
    const own = fakeWorld()
    const session = fakeSession({
      id: stored,
      answer: (command, self) => play([...answer('b'), ...end()], command, self),
    })
    own.host.sessionsById.set(stored, session)
    for (const event of [start, ...answer('a'), ...end()]) session.record(event, { runId: 'oooooooo' })
    const before = session.lines.length
    expect(await begin(own, invocation({ format: 'json' }, { from: { session: stored } }))).toBe(0)
    expect(own.stdout.written.trimEnd().split('\n')).toEqual([session.headerLine, ...session.lines.slice(before)])
  })

  it('loses and repeats no line for a slow reader, with a bounded buffer', async () => {
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
    expect(own.stdout.written.trimEnd().split('\n')).toEqual([made(own).headerLine, ...made(own).lines])
    expect(made(own).sent).toHaveLength(1)
  })

  it('aborts the run without a message when the reader is gone', async () => {
    const own = fakeWorld(runs(answer('a')))
    own.stdout.breakWith('EPIPE')
    expect(await begin(own, invocation({ format: 'json' }))).toBe(1)
    expect(made(own).sent.map(({ command }) => command.type)).toEqual(['prompt', 'abort'])
    expect(own.stderr.written).toBe('')
  })

  it('aborts the run if standard output cannot be written', async () => {
    const own = fakeWorld(runs(answer('a')))
    own.stdout.breakWith('ENOSPC')
    expect(await begin(own, invocation({ format: 'json' }))).toBe(1)
    expect(made(own).sent.map(({ command }) => command.type)).toEqual(['prompt', 'abort'])
    expect(own.stderr.written).toBe('')
  })

  it('returns the same exit codes [EXIT-run]', async () => {
    const own = fakeWorld(runs(end({ terminationReason: 'idle_timeout' })))
    expect(await begin(own, invocation({ format: 'json' }))).toBe(3)
  })
})

describe('without -p and without piped input', () => {
  it('an option that needs a prompt is rejected by name', async () => {
    const own = fakeWorld({ stdin$: of() })
    const requests = invocation({ words: '', stdin: 'only', loneOption: 'model' })
    await expect(begin(own, requests)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^--model needs -p/) as string,
    })
  })

  it('prints the help', async () => {
    const own = fakeWorld({ stdin$: of() })
    expect(await begin(own, invocation({ words: '', stdin: 'only' }))).toBe(0)
    expect(own.stdout.written).toMatch(/^rxpi — a coding agent/)
    expect(own.host.requests).toEqual([])
  })
})
