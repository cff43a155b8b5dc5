// Tests `rxpi -p` in each mode of approval: which calls run, what stderr names, and the exit code.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { probeSandbox } from '../../lib/host/sandbox/probe-sandbox.ts'
import { workplace } from '../support/command.ts'
import { valuesOf } from '../support/values-of.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const calls = [
  { name: 'read', arguments: { path: 'a.txt' } },
  { name: 'write', arguments: { path: 'new.txt', content: 'x' } },
  { name: 'bash', arguments: { command: 'touch of-bash' } },
]
const script = [{ toolCalls: calls }, { text: 'done' }]
const inMode = (mode: string) => ({ env: { RXPI_APPROVE: '' }, mode: mode === '' ? [] : ['--approve', mode] })

describe('rxpi -p where no client can answer', () => {
  const modes: readonly [string, readonly string[]][] = [
    ['', ['write', 'bash']],
    ['auto', []],
    ['ask', ['write', 'bash']],
    ['writes', ['write', 'bash']],
  ]
  it.each(sampleRows(modes, 2))(
    'in the mode "%s" refuses %j, names each with the flag, and exits with 1 [S6c, CLI-refusal]',
    async (name, refused) => {
      using workspace = workplace({ 'a.txt': 'alpha\n' })
      const { env, mode } = inMode(name)
      const { code, stdout, stderr } = await workspace.run(
        ['-p', 'x', '--model', workspace.scripted(script), ...mode],
        {
          env,
        },
      )
      expect([code, stdout]).toEqual([refused.length === 0 ? 0 : 1, 'done\n'])
      const named = stderr.split('\n').filter((line) => line.includes(' was refused: '))
      expect(named.map((line) => /^rxpi: (\w+) /.exec(line)?.[1])).toEqual(refused)
      for (const line of named) expect(line).toMatch(/needs a person's approval.*--approve auto allows it\.$/)
      expect(existsSync(path.join(workspace.folder, 'new.txt'))).toBe(!refused.includes('write'))
      expect(existsSync(path.join(workspace.folder, 'of-bash'))).toBe(!refused.includes('bash'))
      expect(workspace.logs()[0]?.lines.join('\n')).toContain('alpha')
    },
  )

  it('names no flag for a critical command, which asks in every mode [S6c]', async () => {
    using workspace = workplace()
    const rm = { toolCalls: [{ name: 'bash', arguments: { command: 'rm -rf ~' } }] }
    const model = workspace.scripted([rm, { text: 'done' }])
    const { code, stderr } = await workspace.run(['-p', 'x', '--model', model, '--approve', 'auto'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^rxpi: bash .*rm -rf ~.* was refused: .* No flag allows it; the terminal UI asks about it\.$/m,
    )
  })

  it.runIf(isFull)('exits with 1 in JSON mode too, and the log has each decision [S6c]', async () => {
    using workspace = workplace({ 'a.txt': '' })
    const args = ['--mode', 'json', '-p', 'x', '--model', workspace.scripted(script), '--approve', 'writes']
    const { code, stdout } = await workspace.run(args)
    expect(code).toBe(1)
    const decisions = stdout.split('\n').filter((line) => line.includes('"policy_decision"'))
    expect(decisions.map((line) => (JSON.parse(line) as { event: { by: string } }).event.by)).toEqual([
      'capability',
      'unattended',
      'unattended',
    ])
  })

  it('takes the mode from the settings, RXPI_APPROVE and the flag: the later wins [S6c]', async () => {
    using workspace = workplace({ 'a.txt': '' })
    const run = async (env: Record<string, string>, ...flags: string[]) =>
      (await workspace.run(['-p', 'x', '--model', workspace.scripted(script), ...flags], { env })).code
    workspace.configure('settings.json', { approve: 'auto' })
    expect(await run({ RXPI_APPROVE: '' })).toBe(0)
    expect(await run({ RXPI_APPROVE: 'writes' })).toBe(1)
    expect(await run({ RXPI_APPROVE: 'writes' }, '--approve', 'auto')).toBe(0)
    workspace.configure('settings.json', { permissions: { allow: ['write', 'bash(touch *)'] } })
    expect(await run({ RXPI_APPROVE: '' })).toBe(0)
  })
})

const [probe] = await valuesOf(probeSandbox())

describe.runIf(probe?.works)('rxpi -p in a working sandbox', () => {
  const env = { RXPI_APPROVE: '', RXPI_SANDBOX: '' }
  const edit = { name: 'edit', arguments: { path: 'a.txt', edits: [{ oldText: 'alpha', newText: 'beta' }] } }
  const build = { name: 'bash', arguments: { command: 'git init -q x; npm run build && git status --short' } }

  it('reads, edits and builds a repository unasked, on the first run [S6d]', async () => {
    const files = { 'a.txt': 'alpha\n', 'package.json': '{"scripts":{"build":"cat a.txt > built.txt"}}', '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/.keep': '', '.git/refs/.keep': '' } // prettier-ignore
    using workspace = workplace(files)
    const read = { name: 'read', arguments: { path: 'a.txt' } }
    const model = workspace.scripted([{ toolCalls: [read, edit] }, { toolCalls: [build] }, { text: 'done' }])
    const { code, stdout, stderr } = await workspace.run(['-p', 'x', '--model', model], { env })
    expect([code, stdout, stderr]).toEqual([0, 'done\n', ''])
    expect(readFileSync(path.join(workspace.folder, 'built.txt'), 'utf8')).toBe('beta\n')
  })

  it.each(sampleRows(['auto', 'ask', 'writes'], 1))(
    'leaving it asks in the mode %s, and no flag is named [S6d]',
    async (mode) => {
      using workspace = workplace()
      const leave = { name: 'bash', arguments: { command: 'echo x > "$HOME/out.txt"', escalate: 'it is there' } }
      const outside = { name: 'write', arguments: { path: '/opt/rxpi-outside.txt', content: 'x' } }
      const model = workspace.scripted([{ toolCalls: [leave, outside] }, { text: 'done' }])
      const { code, stderr } = await workspace.run(['-p', 'x', '--model', model, '--approve', mode], { env })
      const named = stderr.split('\n').filter((line) => line.includes(' was refused: '))
      expect([code, named.length]).toEqual([1, 2])
      expect(named.join('\n')).toMatch(/outside the sandbox: it is there/)
      expect(stderr).not.toContain('--approve auto allows it')
      expect(
        [path.join(workspace.folder, '../out.txt'), '/opt/rxpi-outside.txt'].filter((file) => existsSync(file)),
      ).toEqual([])
    },
  )
})

describe('rxpi tool', () => {
  it('refuses a call that asks, and runs it with --approve auto [S6c]', async () => {
    using workspace = workplace()
    const [call, env] = [['tool', 'bash', '{"command":"echo ran"}'], { RXPI_APPROVE: '' }]
    const { code, stdout } = await workspace.run(call, { env })
    expect([code, stdout]).toEqual([1, expect.stringContaining('bash was not run.')])
    expect(await workspace.run([...call, '--approve', 'auto'], { env })).toMatchObject({ code: 0, stdout: 'ran\n' })
  })
})

it.runIf(isFull)('the demo answers although its calls were refused', async () => {
  using workspace = workplace({ 'a.txt': '' })
  const ended = await workspace.run(['-p', 'run ls', '--model', 'demo/guide'], { env: { RXPI_APPROVE: '' } })
  expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('not run')])
})
