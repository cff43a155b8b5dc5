// Tests the calls about a client's terminals: what is sent, answers of any kind, limits of time, the end of the client.
import { NEVER, Observable, Subject, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChannelCall } from '../../../lib/server/client-tools/channel-calls.ts'
import { clientTerminals } from '../../../lib/server/client-tools/client-terminals.ts'
import type { ClientTerminal, TerminalCommand } from '../../../lib/streams/environment/terminal-exchange.ts'
import { errorResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const answer = (details: unknown, texts: readonly string[] = []): ToolResult => ({
  ...{ type: 'result', details, content: texts.map((text) => ({ type: 'text', text })) },
})
const command: TerminalCommand = {
  program: '/bin/sh',
  args: ['-c', 'true'],
  cwd: '/a',
  env: { A: 'b' },
  outputBytes: 10,
}

/** @param answers by the name of the call; what is missing is not answered */
function setup(answers: Readonly<Record<string, ToolResult>>) {
  const sent: ChannelCall[] = []
  const cancelled: string[] = []
  const left$ = new Subject<void>()
  const onLate = vi.fn()
  const call$ = (each: ChannelCall) =>
    new Observable<ToolResult>((subscriber) => {
      sent.push(each)
      const found = answers[each.name.replace('client/', '')]
      subscriber.add((found === undefined ? NEVER : of(found)).subscribe(subscriber))
      return () => {
        if (found === undefined) cancelled.push(each.name)
      }
    })
  const terminals = clientTerminals({ session: 's', calls: { call: call$ }, left$, onLate })
  const opened = (): ClientTerminal => {
    const [terminal] = valuesOf(terminals.create(command, 'call_1'))
    return terminal as ClientTerminal
  }
  return { terminals, opened, sent, cancelled, left$, onLate, names: () => sent.map(({ name }) => name) }
}

const valuesOf = (value$: Observable<unknown>): unknown[] => {
  const values: unknown[] = []
  value$.subscribe({ next: (value) => values.push(value), error: (error: unknown) => values.push(error) })
  return values
}
const created = { create_terminal: answer({ terminalId: 't1' }) }

describe('a terminal of a client', () => {
  it('is created with the whole command, and named by its id from then on', () => {
    const { opened, sent } = setup({ ...created, terminal_output: answer({}, ['text']) })
    const terminal = opened()
    expect(sent).toEqual([{ session: 's', name: 'client/create_terminal', args: { ...command }, toolCallId: 'call_1' }])
    expect(valuesOf(terminal.output())).toEqual([{ text: 'text', truncated: false }])
    expect(sent[1]).toMatchObject({ name: 'client/terminal_output', args: { terminalId: 't1' } })
  })

  it.each<[string, ToolResult]>([
    ['an error', errorResult('No terminals today')],
    ['no id', answer({})],
    ['an empty id', answer({ terminalId: '' })],
    ['an id of 2,000 characters', answer({ terminalId: 'x'.repeat(2_000) })],
    ['no details', answer(undefined)],
  ])('is a failure if the client answers with %s', (_, create_terminal) => {
    const { terminals } = setup({ create_terminal })
    expect(valuesOf(terminals.create(command, 'call_1'))).toEqual([expect.any(Error)])
  })

  it.each<[string, ToolResult, object]>([
    ['what it holds', answer({ truncated: false }, ['a', 'b']), { text: 'ab', truncated: false }],
    ['that its beginning is lost', answer({ truncated: true }, ['b']), { text: 'b', truncated: true }],
    ['more than it was asked to hold', answer({}, ['0123456789abc']), { text: '3456789abc', truncated: true }],
    ['nothing', answer(null), { text: '', truncated: false }],
  ])('has the output of the client that answers with %s', (_, terminal_output, output) => {
    const { opened } = setup({ ...created, terminal_output })
    expect(valuesOf(opened().output())).toEqual([output])
  })

  it('has no output if the client answers with something else than text', () => {
    const image: ToolResult = { type: 'result', content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }
    const { opened } = setup({ ...created, terminal_output: image })
    expect(valuesOf(opened().output())).toMatchObject([{ code: 'bad_request' }])
  })

  it.each<[unknown, object]>([
    [{ exitCode: 3 }, { exitCode: 3, signal: null }],
    [
      { exitCode: null, signal: 'SIGTERM' },
      { exitCode: null, signal: 'SIGTERM' },
    ],
    [
      { exitCode: '3', signal: 9 },
      { exitCode: null, signal: null },
    ],
    [undefined, { exitCode: null, signal: null }],
  ])('ends as the client reports: %j', (details, exit) => {
    const { opened } = setup({ ...created, terminal_exit: answer(details) })
    expect(valuesOf(opened().exit())).toEqual([exit])
  })

  it.each(['output', 'kill'] as const)(
    'that does not answer to %s in 10 s is a failure, and ends the offer',
    (method) => {
      const { opened, onLate, cancelled } = setup(created)
      const settled = valuesOf(opened()[method]())
      vi.advanceTimersByTime(9_999)
      expect(settled).toEqual([])
      vi.advanceTimersByTime(1)
      expect(settled).toMatchObject([{ code: 'timeout' }])
      expect(onLate).toHaveBeenCalledOnce()
      expect(cancelled).toHaveLength(1)
    },
  )

  it('is not opened after 30 s: the request is taken back', () => {
    const { terminals, onLate, cancelled } = setup({})
    const settled = valuesOf(terminals.create(command, 'call_1'))
    vi.advanceTimersByTime(30_000)
    expect(settled).toMatchObject([{ code: 'timeout' }])
    expect([onLate.mock.calls.length, cancelled]).toEqual([1, ['client/create_terminal']])
  })

  it('waits for the end of the command without a limit, and not beyond the end of the client', () => {
    const { opened, left$, onLate } = setup(created)
    const settled = valuesOf(opened().exit())
    vi.advanceTimersByTime(24 * 3_600_000)
    expect(settled).toEqual([])
    left$.next()
    expect(settled).toMatchObject([{ code: 'disconnected' }])
    expect(onLate).not.toHaveBeenCalled()
  })

  it('is killed and released once if its command runs, and released alone if it has ended', () => {
    const running = setup({ ...created, kill_terminal: answer({}), release_terminal: answer({}) })
    const terminal = running.opened()
    terminal.release()
    terminal.release()
    expect(running.names().slice(1)).toEqual(['client/kill_terminal', 'client/release_terminal'])
    const over = setup({ ...created, terminal_exit: answer({ exitCode: 0 }), release_terminal: answer({}) })
    const ended = over.opened()
    valuesOf(ended.exit())
    ended.release()
    expect(over.names().slice(1)).toEqual(['client/terminal_exit', 'client/release_terminal'])
  })

  it('is released though the client does not answer, or answers with an error, to kill', () => {
    for (const answers of [created, { ...created, kill_terminal: errorResult('no') }]) {
      const { opened, names } = setup(answers)
      opened().release()
      vi.advanceTimersByTime(10_000)
      expect(names().slice(1)).toEqual(['client/kill_terminal', 'client/release_terminal'])
    }
  })
})
