// Tests that a client answers calls about its terminals, and releases each terminal once.
import { NEVER, Observable, Subject, from, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ChannelResult } from '../../../lib/server/client-tools/answer-channel-calls.ts'
import { terminalTools } from '../../../lib/server/client-tools/terminal-tools.ts'
import type { OfferedTerminals } from '../../../lib/server/client-tools/terminal-tools.ts'

function setup(parts: Partial<OfferedTerminals> = {}) {
  const log: string[] = []
  const note = (name: string) => (id: string) => {
    log.push(`${name} ${id}`)
    return of(undefined)
  }
  const terminals: OfferedTerminals = {
    create: ({ program }, toolCallId) => {
      log.push(`create ${program} ${String(toolCallId)}`)
      return of('t1')
    },
    output: () => of({ text: 'text', truncated: false }),
    exit: () => NEVER,
    kill: note('kill'),
    release: note('release'),
    ...parts,
  }
  const { tools, end } = terminalTools(terminals)
  const start = (name: string, args: object, answers: unknown[] = []) => {
    const tool = tools.find((each) => each.name === `client/${name}`)
    if (tool === undefined) throw new Error(`there is no ${name}`)
    const answer$ = from(tool.execute({ ...args }, { toolCallId: 'call_1' }) as Observable<ChannelResult>)
    const calling = answer$.subscribe({
      next: (each) => answers.push(each),
      error: (error: unknown) => answers.push(error),
    })
    return { answers, cancel: () => calling.unsubscribe() }
  }
  return { log, end, start }
}

const open = { program: '/bin/sh', args: ['-c', 'true'], cwd: '/', env: { A: 'b' }, outputBytes: 10 }
const t1 = { terminalId: 't1' }

describe('the terminals of a client', () => {
  it('are none if it offers none', () => {
    expect(terminalTools(undefined).tools).toEqual([])
  })

  it('are opened for a call, read, killed and released', () => {
    const { log, start, end } = setup({ exit: () => of({ exitCode: 2 }) })
    expect(start('create_terminal', open).answers).toEqual([{ content: [], details: t1 }])
    expect(start('terminal_output', t1).answers).toEqual([
      { content: [{ type: 'text', text: 'text' }], details: { truncated: false } },
    ])
    expect(start('terminal_exit', t1).answers).toEqual([{ content: [], details: { exitCode: 2 } }])
    start('kill_terminal', t1)
    expect(start('release_terminal', t1).answers).toEqual([{ content: [] }])
    end()
    expect(log).toEqual(['create /bin/sh call_1', 'kill t1', 'release t1'])
  })

  it('take a promise and a plain string', async () => {
    const { start } = setup({ create: () => 'plain', output: () => Promise.resolve({ text: 'p', truncated: true }) })
    expect(start('create_terminal', open).answers).toEqual([{ content: [], details: { terminalId: 'plain' } }])
    const { answers } = start('terminal_output', { terminalId: 'plain' })
    await Promise.resolve()
    await Promise.resolve()
    expect(answers).toMatchObject([{ details: { truncated: true } }])
  })

  it.each(['terminal_output', 'terminal_exit', 'kill_terminal', 'release_terminal'])(
    'are refused to %s by an id that the server did not get',
    (name) => {
      const { log, start } = setup()
      expect(start(name, { terminalId: 'of another client' }).answers).toMatchObject([{ isError: true }])
      expect(log).toEqual([])
    },
  )

  it('send at most 1 MiB of output, its end', () => {
    const text = `${'x'.repeat(3_000_000)}end`
    const { start } = setup({ output: () => of({ text, truncated: false }) })
    start('create_terminal', open)
    const [answer] = start('terminal_output', t1).answers as [ChannelResult]
    const [part] = answer.content
    expect(part?.type === 'text' && [part.text.length, part.text.endsWith('end')]).toEqual([1_048_576, true])
    expect(answer.details).toEqual({ truncated: true })
  })

  it('are released when the attachment ends, and a release that fails hurts nobody', () => {
    const { log, start, end } = setup()
    start('create_terminal', open)
    end()
    end()
    expect(log.slice(1)).toEqual(['release t1'])
    const failing = setup({ release: () => throwError(() => new Error('gone')) })
    failing.start('create_terminal', open)
    expect(failing.end).not.toThrow()
  })

  it.each<[string, boolean]>([
    ['the call was cancelled', false],
    ['the attachment ended', true],
  ])('are released if they open after %s', (_, endsAll) => {
    const opened$ = new Subject<string>()
    const { log, start, end } = setup({ create: () => opened$ })
    const { answers, cancel } = start('create_terminal', open)
    if (endsAll) end()
    else cancel()
    opened$.next('late')
    expect(log).toEqual(['release late'])
    expect(answers).toEqual([])
  })
})
