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
    expect([await begin(own), own.stdout.kept, own.stderr.kept]).toEqual([0, wanted, ''])
  })

  it('writes nothing for an answer without text, and says so; that is no failure [CLI-print]', async () => {
    const own = fakeWorld(runs([...answer('first'), ...answer(''), ...end()]))
    expect(await begin(own)).toBe(0)
    expect([own.stdout.kept, own.stderr.kept]).toEqual(['', 'rxpi: the answer of the model is empty\n'])
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
    own.host.sessionsById.set(stored, session)
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
