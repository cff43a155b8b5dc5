// Tests the command if its log or its output cannot be written.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { sampleRows } from '../support/sample-size.ts'

describe('a log that cannot be written', () => {
  it.each([
    ['in a tool’s output', { toolCalls: [{ name: 'bash', arguments: { command: 'seq 1 5000' } }] }],
    ['in a streamed answer', { text: 'x'.repeat(20_000), pieceLength: 50, pieceDelayMs: 1 }],
  ])('%s ends the run with 5 and prints the reason [EXIT-5]', async (_, answer) => {
    using workspace = workplace()
    const model = workspace.scripted([answer, { text: 'never' }])
    const ended = await workspace.run(['-p', 'x', '--model', model], { before: 'ulimit -f 8' }) // limits files to 4 KiB
    expect([ended.code, ended.stdout]).toEqual([5, ''])
    expect(ended.stderr).toMatch(/^rxpi: Could not write to .*\.jsonl: the file is too large\n$/)
  })
})

const devices = describe.skipIf(!existsSync('/dev/full'))

devices('a stdout that takes nothing', () => {
  const outputs: readonly (readonly [string, string[]])[] = [
    ['an answer', ['-p', 'hello', '--model', 'demo/guide']],
    ['help', ['--help']],
    ['JSON lines', ['--mode', 'json', '-p', 'hello', '--model', 'demo/guide']],
    ['the version', ['--version', '--help']],
    ['the bare version', ['--version']],
    ['the doctor’s report', ['doctor']],
    ['a tool’s result', ['tool', 'bash', '{"command":"echo hello"}']],
  ]
  it.each(sampleRows(outputs, 2))('of %s is reported once, and never ends with 0', async (_, commandLine) => {
    using workspace = workplace()
    const { code, stderr } = await workspace.run(commandLine, { before: 'exec >/dev/full' })
    expect(code).toBe(1)
    expect(stderr.replace(/^rxpi: demo.*\n/, '')).toMatch(
      /^rxpi: cannot write to standard output: no space is left on the disk\n$/,
    )
  })
})

describe('a reader that closed the pipe before any output', () => {
  const commandLines: string[][][] = [[['--help']], [['--version']], [['doctor']]]
  it.each(sampleRows(commandLines, 1))('of %j is not reported as an error', async (commandLine) => {
    using workspace = workplace()
    const running = workspace.start(commandLine)
    running.child.stdout?.destroy()
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
