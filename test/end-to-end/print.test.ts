// Tests print mode with the demo model and with scripted models.
import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkHeader } from '../../lib/streams/validation/validators.ts'
import { workplace } from '../support/command.ts'
import { comparable, foldLines, durableLines } from './print-scene.ts'
import { isFull } from '../support/sample-size.ts'

const demo = ['--model', 'demo/guide']

describe('the demo model', () => {
  it('answers from the real folder, and notes on stderr that it is no language model', async () => {
    using workspace = workplace({ 'README.md': '# The moon base\n', 'src/airlock.ts': 'export {}\n' })
    const { code, stdout, stderr } = await workspace.run([...demo, '-p', 'What is in this folder?'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/README\.md/)
    expect(stdout).toMatch(/The moon base/)
    expect(stdout).toMatch(/src/)
    expect(stderr).toMatch(/^rxpi: .*not a language model.*\n$/)
  })

  it('ignores settings, models and variables of the folder [S2a]', async () => {
    const settings = '{"model":"nowhere/none","tools":[],"limits":{"turns":1}}'
    const models = '{"providers":{"demo":{"baseUrl":"http://127.0.0.1:1"}}}'
    using workspace = workplace({
      'README.md': '# The moon base\n',
      '.rxpi/settings.json': settings,
      '.rxpi/models.json': models,
      'settings.json': settings,
      'models.json': models,
      '.env': 'RXPI_MODEL=nowhere/none\nOPENAI_API_KEY=sk-planted\nOPENAI_BASE_URL=http://127.0.0.1:1\n',
    })
    const { code, stdout, stderr } = await workspace.run([...demo, '-p', 'What is in this folder?'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^rxpi: .*which does not count: the folder is not trusted.*\nrxpi: .*not a language model.*\n$/,
      ),
    ])
    expect(stdout).toMatch(/The moon base/)
  })

  it('writes private files only [LOG-modes]', async () => {
    using workspace = workplace()
    await workspace.run([...demo, '-p', 'hello'])
    const [log] = workspace.logs()
    expect(statSync(workspace.home).mode & 0o777).toBe(0o700)
    expect(statSync(log?.file ?? '').mode & 0o777).toBe(0o600)
  })
})

describe('print mode', () => {
  it('writes the last answer and nothing else on stdout [CLI-print]', async () => {
    using workspace = workplace({ 'a.txt': 'alpha\n' })
    const model = workspace.scripted([
      { text: 'Let me look.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      { text: ['It says ', 'alpha.'] },
    ])
    expect(await workspace.run(['-p', 'what?', '--model', model])).toMatchObject({
      code: 0,
      stdout: 'It says alpha.\n',
      stderr: '',
    })
  })

  it('prints line 1 and the numbered lines of the log in JSON mode, whose fold is the transcript [LOG-hidden, CLI-json]', async () => {
    using workspace = workplace({ 'a.txt': 'alpha \u2028 \u001b[31m é😀\n' })
    const model = workspace.scripted([
      { thinking: 'hm', text: 'Let me look.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      { text: 'x'.repeat(50_000), pieceLength: 100 },
    ])
    const { code, stdout } = await workspace.run(['--mode', 'json', '-p', 'what?', '--model', model])
    const [log] = workspace.logs()
    const lines = log?.lines ?? []
    expect(code).toBe(0)
    expect(stdout).toBe([lines[0], ...durableLines(lines)].join('\n') + '\n')
    expect(lines.length).toBeGreaterThan(durableLines(lines).length + 1) // checkpoints: clients do not see them
    expect(checkHeader(JSON.parse(lines[0] ?? '')).ok).toBe(true)
    const printed = stdout.trimEnd().split('\n')
    expect(printed.slice(1).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      printed.slice(1).map((_, index) => index + 1),
    )
    expect(foldLines(printed.slice(1)).map(comparable)).toEqual([
      ['user', 'what?'],
      ['assistant', 'thinking', 'Let me look.', 'toolCall'],
      ['toolResult', 'alpha \u2028 \u001b[31m é😀\n'],
      ['assistant', 'x'.repeat(50_000)],
    ])
  })

  it('continues the latest session of the folder, and any by its id [CLI-continue]', async () => {
    using workspace = workplace()
    const model = workspace.scripted([{ text: 'one' }, { text: 'two' }])
    await workspace.run(['-p', 'first', '--model', model])
    const [log] = workspace.logs()
    const { id } = JSON.parse(log?.lines[0] ?? '') as { id: string }
    expect(await workspace.run(['-c', '-p', 'second', '--model', model])).toMatchObject({ code: 0 })
    const json = await workspace.run(['--session', id, '--mode', 'json', '-p', 'third', '--model', model])
    const logs = workspace.logs()
    expect(logs).toHaveLength(1)
    const lines = durableLines(logs[0]?.lines ?? [])
    expect(
      foldLines(lines)
        .filter(({ role }) => role === 'user')
        .map(comparable),
    ).toEqual([
      ['user', 'first'],
      ['user', 'second'],
      ['user', 'third'],
    ])
    const printed = json.stdout.trimEnd().split('\n')
    expect(printed[0]).toBe(logs[0]?.lines[0])
    expect(printed.slice(1)).toEqual(lines.slice(1 - printed.length))
  })

  it.runIf(isFull)('separates a folder’s sessions from those of other folders', async () => {
    using workspace = workplace()
    await workspace.run([...demo, '-p', 'hello'])
    const { code, stderr } = await workspace.run(['-c', '-p', 'hello', '--cwd', workspace.config])
    expect([code, stderr]).toEqual([
      2,
      `rxpi: There is no session to continue in ${workspace.config}; start a new one there\n`,
    ])
  })

  it('proposes a session of the folder for a word that is no id [FIRST-nearest]', async () => {
    using workspace = workplace()
    await workspace.run([...demo, '-p', 'hello'])
    const id = /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '')?.[1] ?? ''
    const { code, stderr } = await workspace.run(['-p', 'go on', '--session', 'helo'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(`not "helo". Did you mean ${id} \\("hello"\\)\\?\n$`)])
  })

  it('writes no file with --no-session [CLI-continue]', async () => {
    using workspace = workplace()
    expect(await workspace.run([...demo, '--no-session', '-p', 'What is in this folder?'])).toMatchObject({ code: 0 })
    expect(workspace.stored()).toEqual([])
  })

  it.runIf(isFull)('prints the whole run in JSON with --no-session too', async () => {
    using workspace = workplace()
    const { stdout } = await workspace.run([...demo, '--no-session', '--mode', 'json', '-p', 'hello'])
    const printed = stdout.trimEnd().split('\n')
    expect(foldLines(printed.slice(1)).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('runs in the folder that --cwd names [CLI-continue]', async () => {
    using workspace = workplace({ 'inner/only.txt': 'x' })
    const model = workspace.scripted([{ toolCalls: [{ name: 'bash', arguments: { command: 'ls' } }] }, { text: 'ok' }])
    await workspace.run(['-p', 'x', '--model', model, '--cwd', 'inner'])
    const [log] = workspace.logs()
    expect(foldLines(durableLines(log?.lines ?? [])).map(comparable)).toContainEqual(['toolResult', 'only.txt\n'])
  })

  it('passes the caller’s environment to tools [S7b]', async () => {
    using workspace = workplace()
    const model = workspace.scripted([
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo "$MOON-$PWD"' } }] },
      { text: 'ok' },
    ])
    await workspace.run(['-p', 'x', '--model', model], { env: { MOON: 'base' } })
    const [log] = workspace.logs()
    expect(foldLines(durableLines(log?.lines ?? [])).map(comparable)).toContainEqual([
      'toolResult',
      `base-${workspace.folder}\n`,
    ])
  })
})
