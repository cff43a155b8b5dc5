// Tests `rxpi -p` in each mode of approval: which calls run, what stderr names, and the exit code.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'

const calls = [
  { name: 'read', arguments: { path: 'a.txt' } },
  { name: 'write', arguments: { path: 'new.txt', content: 'x' } },
  { name: 'bash', arguments: { command: 'touch of-bash' } },
]
const script = [{ toolCalls: calls }, { text: 'done' }]
const inMode = (mode: string) => ({ env: { RXPI_APPROVE: '' }, mode: mode === '' ? [] : ['--approve', mode] })

describe('rxpi -p where no client can answer', () => {
  it.each([
    ['', ['write', 'bash']],
    ['ask', ['write', 'bash']],
    ['writes', ['write', 'bash']],
    ['auto', []],
  ])('in the mode "%s" refuses %j, names each with the flag, and exits with 1 [S6c]', async (name, refused) => {
    using place = workplace({ 'a.txt': 'alpha\n' })
    const { env, mode } = inMode(name)
    const { code, stdout, stderr } = await place.run(['-p', 'x', '--model', place.scripted(script), ...mode], { env })
    expect([code, stdout]).toEqual([refused.length === 0 ? 0 : 1, 'done\n'])
    const named = stderr.split('\n').filter((line) => line.includes(' was refused: '))
    expect(named.map((line) => /^rxpi: (\w+) /.exec(line)?.[1])).toEqual(refused)
    for (const line of named) expect(line).toMatch(/needs a person's approval.*--approve auto allows it\.$/)
    expect(existsSync(path.join(place.folder, 'new.txt'))).toBe(!refused.includes('write'))
    expect(existsSync(path.join(place.folder, 'of-bash'))).toBe(!refused.includes('bash'))
    expect(place.logs()[0]?.lines.join('\n')).toContain('alpha')
  })

  it('names no flag for a critical command, which asks in every mode [S6c]', async () => {
    using place = workplace()
    const rm = { toolCalls: [{ name: 'bash', arguments: { command: 'rm -rf ~' } }] }
    const model = place.scripted([rm, { text: 'done' }])
    const { code, stderr } = await place.run(['-p', 'x', '--model', model, '--approve', 'auto'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^rxpi: bash .*rm -rf ~.* was refused: .* No flag allows it; the terminal UI asks about it\.$/m,
    )
  })

  it('exits with 1 in JSON mode too, and the log has each decision [S6c]', async () => {
    using place = workplace({ 'a.txt': '' })
    const args = ['--mode', 'json', '-p', 'x', '--model', place.scripted(script), '--approve', 'writes']
    const { code, stdout } = await place.run(args)
    expect(code).toBe(1)
    const decisions = stdout.split('\n').filter((line) => line.includes('"policy_decision"'))
    expect(decisions.map((line) => (JSON.parse(line) as { event: { by: string } }).event.by)).toEqual([
      'capability',
      'unattended',
      'unattended',
    ])
  })

  it('takes the mode from the settings, RXPI_APPROVE and the flag: the later wins [S6c]', async () => {
    using place = workplace({ 'a.txt': '' })
    const run = async (env: Record<string, string>, ...flags: string[]) =>
      (await place.run(['-p', 'x', '--model', place.scripted(script), ...flags], { env })).code
    place.configure('settings.json', { approve: 'auto' })
    expect(await run({ RXPI_APPROVE: '' })).toBe(0)
    expect(await run({ RXPI_APPROVE: 'writes' })).toBe(1)
    expect(await run({ RXPI_APPROVE: 'writes' }, '--approve', 'auto')).toBe(0)
    place.configure('settings.json', { permissions: { allow: ['write', 'bash(touch *)'] } })
    expect(await run({ RXPI_APPROVE: '' })).toBe(0)
  })
})

describe('rxpi tool', () => {
  it('refuses a call that asks, and runs it with --approve auto [S6c]', async () => {
    using place = workplace()
    const [call, env] = [['tool', 'bash', '{"command":"echo ran"}'], { RXPI_APPROVE: '' }]
    const { code, stdout } = await place.run(call, { env })
    expect([code, stdout]).toEqual([1, expect.stringContaining('bash was not run.')])
    expect(await place.run([...call, '--approve', 'auto'], { env })).toMatchObject({ code: 0, stdout: 'ran\n' })
  })
})

it('the demo answers although its calls were refused', async () => {
  using place = workplace({ 'a.txt': '' })
  const ended = await place.run(['-p', 'run ls', '--model', 'demo/guide'], { env: { RXPI_APPROVE: '' } })
  expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('not run')])
})
