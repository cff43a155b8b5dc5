// Tests how commands end after an interrupt.
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Workplace } from '../support/command.ts'
import { workplace } from '../support/command.ts'
import { processesWith } from '../support/processes-with.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

/** A duration for `sleep` that no other process on this machine uses. */
const marker = (): string => `${31_536_000 + process.pid}.${Math.floor(Math.random() * 1e9)}`

/**
 * A model whose first answer runs an endless tool with grandchildren. The tool ignores SIGTERM and creates the file
 * `told` when it receives it.
 */
function stubborn(workspace: Workplace, time: string): string {
  const deaf = `(trap '' TERM; sleep ${time}) &`
  const command = `trap 'touch told' TERM; echo begun; ${deaf} ${deaf} wait; wait; wait`
  return workspace.scripted([
    { text: 'Wait.', toolCalls: [{ name: 'bash', arguments: { command } }] },
    { text: 'never' },
  ])
}

const events = (workspace: Workplace): string[] =>
  (workspace.logs()[0]?.lines.slice(1) ?? [])
    .filter((line) => line.startsWith('{"seq":'))
    .map((line) => (JSON.parse(line) as { event: { type: string } }).event.type)

const closing = [
  ...['tool_execution_end', 'message_start', 'message_end', 'turn_end'],
  ...['snapshot_taken', 'agent_end', 'agent_settled'], // bash can change files
]

describe('an interrupt', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const
  it.each(sampleRows(signals, 1))(
    '%s ends the run in an orderly way and leaves no process [EXIT-130]',
    async (signal, code) => {
      using workspace = workplace()
      const time = marker()
      const running = workspace.start(['--mode', 'json', '-p', 'x', '--model', stubborn(workspace, time)])
      await running.outputText('tool_execution_start')
      await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(1)
      running.child.kill(signal)
      const ended = await running.ended
      expect([ended.code, ended.signal]).toEqual([code, null])
      expect(events(workspace).slice(-closing.length)).toEqual(closing)
      expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(workspace.logs()[0]?.lines.at(-1))
      await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
    },
  )

  it.runIf(isFull)('sent twice ends the process at once, and its tools soon after', async () => {
    using workspace = workplace()
    const time = marker()
    const running = workspace.start(['-p', 'x', '--model', stubborn(workspace, time)])
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(1)
    running.child.kill('SIGINT')
    // the system can merge two signals of one kind; the file shows that the first one was handled
    await expect.poll(() => existsSync(join(workspace.folder, 'told')), { timeout: 10_000, interval: 10 }).toBe(true)
    const before = performance.now()
    running.child.kill('SIGINT')
    const { code } = await running.ended
    expect(code).toBe(130)
    expect(performance.now() - before).toBeLessThan(1_900) // the grace period of a tool is 2 s
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
  })

  it('during the wait for standard input ends at once, without a session', async () => {
    using workspace = workplace()
    const running = workspace.start(['-p', 'x'], { stdin: null })
    await running.outputText('waiting for the end of standard input')
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' })
    expect(workspace.stored()).toEqual([])
  })

  it.runIf(isFull)('ends a tool that was called from the command line', async () => {
    using workspace = workplace()
    const time = marker()
    const running = workspace.start(['tool', 'bash', JSON.stringify({ command: `touch begun; sleep ${time}` })])
    await expect.poll(() => existsSync(join(workspace.folder, 'begun')), { timeout: 10_000 }).toBe(true)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
  })

  it('of an import leaves no session behind, and is not reported as a lost connection [EXIT-130]', async () => {
    using workspace = workplace()
    const entry = (id: number): string =>
      `{"type":"message","id":"${id}","parentId":${id === 1 ? 'null' : `"${id - 1}"`},"timestamp":"2026-01-01T00:00:00.000Z",` +
      `"message":{"role":"user","content":"${'word '.repeat(400)}","timestamp":1}}\n`
    const header = '{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n'
    writeFileSync(
      join(workspace.folder, 'long.jsonl'),
      header + Array.from({ length: 10_000 }, (_, at) => entry(at + 1)).join(''),
    )
    const running = workspace.start(['sessions', 'import', 'long.jsonl'])
    const hasLog = (): boolean => workspace.stored().some((file) => file.endsWith('.jsonl')) // reading it takes longer
    await expect.poll(hasLog, { timeout: 10_000, interval: 5 }).toBe(true)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stdout: '', stderr: '' })
    expect(workspace.logs()).toEqual([])
  })
})

describe('limits', () => {
  it('--timeout ends the run with 124 and leaves no process behind [CLI-limits, EXIT-124]', async () => {
    using workspace = workplace()
    const time = marker()
    const ended = await workspace.run(['-p', 'x', '--timeout', '1', '--model', stubborn(workspace, time)])
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([124, 'Wait.\n', 'rxpi: timed out after 1 turn\n'])
    expect(events(workspace).slice(-closing.length)).toEqual(closing)
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
  })

  it.runIf(isFull)('--timeout counts the wait for standard input too', async () => {
    using workspace = workplace()
    const ended = await workspace.run(['-p', 'x', '--timeout', '0.5'], { stdin: null })
    expect([ended.code, ended.stderr]).toEqual([124, 'rxpi: timed out before the run began\n'])
  })

  it('--max-turns 4 ends the run after four turns, with 4 [CLI-limits, EXIT-4]', async () => {
    using workspace = workplace()
    const again = { text: 'Again.', toolCalls: [{ name: 'bash', arguments: { command: 'true' } }] }
    const model = workspace.scripted([again, again, again, again, { text: 'never' }])
    const ended = await workspace.run(['-p', 'x', '--max-turns', '4', '--model', model])
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([
      4,
      'Again.\n',
      'rxpi: The model has called bash 3 times in a row with the same arguments\n' +
        'rxpi: stopped after 4 turns by maxTurns\nrxpi: to continue: rxpi -c -p "Go on"\n',
    ])
    expect(events(workspace).filter((type) => type === 'turn_end')).toHaveLength(4)
  })

  it.runIf(isFull)('--max-turns above what the run needs has no effect', async () => {
    using workspace = workplace()
    const model = workspace.scripted([{ text: 'done' }])
    expect(await workspace.run(['-p', 'x', '--max-turns', '1', '--model', model])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    })
  })
})

describe.concurrent('a model’s failure', () => {
  const failures: readonly [string, object, number, RegExp][] = [
    [
      'a refused key',
      { error: { kind: 'auth', status: 401, message: 'no such key' } },
      3,
      /^rxpi: .*no such key.*\nrxpi: rxpi auth list prints .*\n$/,
    ],
    ['a stream without its terminal event', { text: 'half', end: 'early' }, 3, /^rxpi: .+\n$/],
    [
      'an unreachable provider',
      { error: { kind: 'network', message: 'nobody there', retryAfterMs: 1 } },
      3,
      /nobody there/,
    ],
    ['silence', { text: 'half', end: 'never' }, 3, /^rxpi: .+\n$/],
  ]
  it.each(sampleRows(failures, 2))('%s never ends with 0 [EXIT-never_0]', async (_, answer, code, message) => {
    using workspace = workplace()
    workspace.configure('settings.json', { limits: { idleMs: 300 } })
    const ended = await workspace.run(['-p', 'x', '--model', workspace.scripted([answer, answer, answer])])
    expect(ended.stderr).toMatch(message)
    expect(ended.code).toBe(code)
  })
})

describe('a reader of stdout', () => {
  it('that closes the pipe ends the run without a message', async () => {
    using workspace = workplace()
    const time = marker()
    const running = workspace.start(['--mode', 'json', '-p', 'x', '--model', stubborn(workspace, time)])
    await running.outputText('"seq":1,')
    running.child.stdout?.destroy()
    const ended = await running.ended
    expect([ended.code, ended.stderr]).toEqual([1, ''])
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
  })

  it.runIf(isFull)('that is slow gets every line', async () => {
    using workspace = workplace()
    workspace.configure('settings.json', { compaction: { enabled: false } }) // its script has no summaries
    const turn = { text: 'y'.repeat(200_000), toolCalls: [{ name: 'bash', arguments: { command: 'true' } }] }
    const model = workspace.scripted([...Array.from({ length: 20 }, () => turn), { text: 'done' }])
    const running = workspace.start(['--mode', 'json', '-p', 'x', '--model', model])
    running.child.stdout?.pause()
    await expect.poll(() => events(workspace).at(-1), { timeout: 15_000 }).toBe('agent_settled')
    running.child.stdout?.resume()
    const ended = await running.ended
    const [log] = workspace.logs()
    const numbered = (log?.lines ?? []).filter((line) => line.startsWith('{"seq":'))
    expect(ended.code).toBe(0)
    expect(ended.stdout).toBe([log?.lines[0], ...numbered].join('\n') + '\n')
  })
})

describe('a process that is killed', () => {
  it('leaves no tool process behind, and its session can be continued', async () => {
    using workspace = workplace()
    const time = marker()
    const running = workspace.start(['-p', 'first', '--model', stubborn(workspace, time)])
    await expect.poll(() => processesWith(time).length, { timeout: 10_000 }).toBeGreaterThan(1)
    running.child.kill('SIGKILL')
    await once(running.child, 'exit')
    await expect.poll(() => processesWith(time), { timeout: 10_000 }).toEqual([])
    const model = workspace.scripted([{ text: 'never' }, { text: 'back' }])
    expect(await workspace.run(['-c', '-p', 'second', '--model', model])).toMatchObject({ code: 0 })
  })
})
