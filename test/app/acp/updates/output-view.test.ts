// Tests how the output of a command is shown: as text, as a terminal that the editor draws or runs.
import { describe, expect, it } from 'vitest'
import { CallUpdates } from '../../../../app/acp/updates/call-updates.ts'
import type { CallEnd } from '../../../../app/acp/updates/call-updates.ts'

const call = { toolCallId: 'c1', toolName: 'bash' }
const args = { command: 'make' }
const terminal = (terminalId: string) => ({ type: 'terminal', terminalId })
const drawn = { content: [terminal('c1')], _meta: { terminal_info: { terminal_id: 'c1', cwd: '/project' } } }

function started(showsOutput: boolean): { calls: CallUpdates; first: unknown[] } {
  const calls = new CallUpdates('/project', showsOutput)
  const first = [
    ...calls.announce('c1', 'bash'),
    ...calls.describe({ type: 'toolCall', id: 'c1', name: 'bash', arguments: args }),
    ...calls.start({ type: 'tool_execution_start', ...call, entryId: 'aaaaaaaa', args }),
  ]
  return { calls, first }
}

const print = (calls: CallUpdates, content: string): void =>
  calls.print({ type: 'tool_execution_update', toolCallId: 'c1', updateType: 'stdout', content, offset: 0 })
const end = (text: string, details?: object): CallEnd => ({
  ...{ ...call, isError: false, content: [{ type: 'text', text }] },
  ...(details === undefined ? {} : { details }),
})
const ended = { exitCode: 0, signal: null }
const output = (data: string) => ({ terminal_output: { terminal_id: 'c1', data } })
const exit = { terminal_exit: { terminal_id: 'c1', exit_code: 0, signal: null } }

describe('an editor that draws output as a terminal', () => {
  it('gets the terminal with the call, its output in pieces, and its end [ACP-output]', () => {
    const { calls, first } = started(true)
    expect(first).toMatchObject([{ sessionUpdate: 'tool_call', ...drawn }, { sessionUpdate: 'tool_call_update' }, {}])
    expect(first[1]).not.toHaveProperty('content')
    print(calls, 'one\n')
    print(calls, 'two\n')
    expect(calls.takeOutput()).toEqual([
      { sessionUpdate: 'tool_call_update', toolCallId: 'c1', _meta: output('one\ntwo\n') },
    ])
    print(calls, 'three\n')
    expect(calls.end(end('one\ntwo\nthree\n', ended))).toMatchObject([
      { status: 'completed', content: [terminal('c1')], _meta: { ...output('three\n'), ...exit } },
    ])
  })

  it.each<[string, string, object, object]>([
    ['prints nothing before its end', 'all of it\n', ended, { ...output('all of it\n'), ...exit }],
    [
      'is ended by a signal',
      '',
      { exitCode: null, signal: 'SIGTERM' },
      { terminal_exit: { terminal_id: 'c1', exit_code: null, signal: 'SIGTERM' } },
    ],
  ])('of a command that %s [ACP-output]', (_, text, details, meta) => {
    const { calls } = started(true)
    expect(calls.end(end(text, details))).toMatchObject([{ content: [terminal('c1')], _meta: meta }])
  })

  it('gets what the result says beyond the output', () => {
    const { calls } = started(true)
    print(calls, 'so far')
    calls.takeOutput()
    const [update] = calls.end(end('so far\n[Ended after 2 s, its time limit.]', { ...ended, timedOut: true }))
    expect(update).toMatchObject({ _meta: output('\n[Ended after 2 s, its time limit.]\n') })
  })

  it('gets the end of much output, with a mark', () => {
    const { calls } = started(true)
    print(calls, 'x'.repeat(100_000))
    print(calls, 'end')
    const [update] = calls.takeOutput() as unknown as [{ _meta: { terminal_output: { data: string } } }]
    const { data } = update._meta.terminal_output
    expect([data.length, data.startsWith('[…]\nx'), data.endsWith('xend')]).toEqual([32_768, true, true])
  })

  it('gets a result that is not of a command as text: a refusal, a job', () => {
    const { calls } = started(true)
    const [update] = calls.end({ ...end('A person said no.'), isError: true })
    expect(update).toMatchObject({ content: [{ type: 'content', content: { text: 'A person said no.' } }] })
    expect(update).not.toHaveProperty('_meta')
  })

  it('gets other tools as ever', () => {
    const [update] = new CallUpdates('/project', true).announce('c1', 'read')
    expect(update).not.toHaveProperty('_meta')
  })
})

describe('an editor that does not', () => {
  it('gets the end of the output as text', () => {
    const { calls, first } = started(false)
    expect(JSON.stringify(first)).not.toContain('terminal')
    print(calls, 'x'.repeat(5_000))
    expect(calls.takeOutput()).toMatchObject([{ content: [{ content: { text: 'x'.repeat(4_096) } }] }])
    expect(calls.end(end('text', ended))).toMatchObject([{ content: [{ content: { text: 'text' } }] }])
  })

  it('gets no half of a character', () => {
    const { calls } = started(false)
    print(calls, `${'😀'.repeat(2_048)}x`)
    expect(calls.takeOutput()).toMatchObject([{ content: [{ content: { text: `${'😀'.repeat(2_047)}x` } }] }])
  })
})

describe('an editor that runs the command', () => {
  it.each([true, false])(
    'has its own terminal in the call, and no output twice; draws others: %s [ACP-terminals]',
    (draws) => {
      const { calls } = started(draws)
      expect(calls.showTerminal('c1', 't7')).toEqual([
        { sessionUpdate: 'tool_call_update', toolCallId: 'c1', content: [terminal('t7')] },
      ])
      print(calls, 'one\n')
      expect(calls.takeOutput()).toEqual([])
      const [update] = calls.end(end('one\n[exit code 2]', { exitCode: 2, signal: null, inClientTerminal: true }))
      expect(update).toMatchObject({
        content: [terminal('t7'), { type: 'content', content: { type: 'text', text: '[exit code 2]' } }],
      })
      expect(update).not.toHaveProperty('_meta')
    },
  )

  it('is not shown a terminal of a call that has ended', () => {
    const { calls } = started(false)
    calls.end(end('text'))
    expect(calls.showTerminal('c1', 't7')).toEqual([])
  })
})
