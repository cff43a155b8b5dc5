import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../lib/streams/event.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/fold-session.ts'
import type { Message } from '../../lib/streams/message.ts'
import { checkHeader, checkLogLine } from '../../lib/streams/validators.ts'
import { workplace } from '../support/command.ts'

/** What of a message a test names. */
function told(message: Message): unknown {
  if (message.role === 'assistant') {
    return ['assistant', ...message.content.map((block) => (block.type === 'text' ? block.text : block.type))]
  }
  const { content } = message
  const text =
    typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : block.type))
  return [message.role, ...[text].flat()]
}

function foldLines(lines: readonly string[]): Message[] {
  let state = emptySession()
  for (const line of lines) {
    const checked = checkLogLine(JSON.parse(line))
    if (!checked.ok) throw new Error(`${checked.problem}: ${line}`)
    state = foldSession(state, { ...checked.value, event: checked.value.event as AgentEvent })
  }
  return transcript(state)
}

const numbered = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith('{"seq":'))

describe('the demo model', () => {
  it('answers from the real folder, and says on stderr that it is no language model', async () => {
    using place = workplace({ 'README.md': '# The moon base\n', 'src/airlock.ts': 'export {}\n' })
    const { code, stdout, stderr } = await place.run(['-p', 'What is in this folder?'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/README\.md/)
    expect(stdout).toMatch(/The moon base/)
    expect(stdout).toMatch(/src/)
    expect(stderr).toMatch(/^rxpi: .*not a language model.*\n$/)
  })

  it('answers whatever the folder says of settings, models and variables: nothing of it is read [S2a]', async () => {
    const settings = '{"model":"nowhere/none","tools":[],"limits":{"turns":1}}'
    const models = '{"providers":{"demo":{"baseUrl":"http://127.0.0.1:1"}}}'
    using place = workplace({
      'README.md': '# The moon base\n',
      '.rxpi/settings.json': settings,
      '.rxpi/models.json': models,
      'settings.json': settings,
      'models.json': models,
      '.env': 'RXPI_MODEL=nowhere/none\nOPENAI_API_KEY=sk-planted\nOPENAI_BASE_URL=http://127.0.0.1:1\n',
    })
    const { code, stdout, stderr } = await place.run(['-p', 'What is in this folder?'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^rxpi: .*not a language model.*\n$/)])
    expect(stdout).toMatch(/The moon base/)
  })

  it('writes private files only [LOG-modes]', async () => {
    using place = workplace()
    await place.run(['-p', 'hello'])
    const [log] = place.logs()
    expect(statSync(place.home).mode & 0o777).toBe(0o700)
    expect(statSync(log?.file ?? '').mode & 0o777).toBe(0o600)
  })
})

describe('print mode', () => {
  it('writes the last answer and nothing else on stdout [CLI-print]', async () => {
    using place = workplace({ 'a.txt': 'alpha\n' })
    const model = place.scripted([
      { text: 'Let me look.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      { text: ['It says ', 'alpha.'] },
    ])
    expect(await place.run(['-p', 'what?', '--model', model])).toMatchObject({
      code: 0,
      stdout: 'It says alpha.\n',
      stderr: '',
    })
  })

  it('in JSON prints line 1 and the numbered lines of the log, whose fold is the transcript [LOG-hidden, CLI-json]', async () => {
    using place = workplace({ 'a.txt': 'alpha \u2028 \u001b[31m é😀\n' })
    const model = place.scripted([
      { thinking: 'hm', text: 'Let me look.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] },
      { text: 'x'.repeat(50_000), pieceLength: 100 },
    ])
    const { code, stdout } = await place.run(['--mode', 'json', '-p', 'what?', '--model', model])
    const [log] = place.logs()
    const lines = log?.lines ?? []
    expect(code).toBe(0)
    expect(stdout).toBe([lines[0], ...numbered(lines)].join('\n') + '\n')
    expect(lines.length).toBeGreaterThan(numbered(lines).length + 1) // there were checkpoints, which no client sees
    expect(checkHeader(JSON.parse(lines[0] ?? '')).ok).toBe(true)
    const printed = stdout.trimEnd().split('\n')
    expect(printed.slice(1).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      printed.slice(1).map((_, index) => index + 1),
    )
    expect(foldLines(printed.slice(1)).map(told)).toEqual([
      ['user', 'what?'],
      ['assistant', 'thinking', 'Let me look.', 'toolCall'],
      ['toolResult', 'alpha \u2028 \u001b[31m é😀\n'],
      ['assistant', 'x'.repeat(50_000)],
    ])
  })

  it('continues the latest session of the folder, and any by its id [CLI-continue]', async () => {
    using place = workplace()
    const model = place.scripted([{ text: 'one' }, { text: 'two' }])
    await place.run(['-p', 'first', '--model', model])
    const [log] = place.logs()
    const { id } = JSON.parse(log?.lines[0] ?? '') as { id: string }
    expect(await place.run(['-c', '-p', 'second', '--model', model])).toMatchObject({ code: 0 })
    const json = await place.run(['--session', id, '--mode', 'json', '-p', 'third', '--model', model])
    const logs = place.logs()
    expect(logs).toHaveLength(1)
    const lines = numbered(logs[0]?.lines ?? [])
    expect(
      foldLines(lines)
        .filter(({ role }) => role === 'user')
        .map(told),
    ).toEqual([
      ['user', 'first'],
      ['user', 'second'],
      ['user', 'third'],
    ])
    const printed = json.stdout.trimEnd().split('\n')
    expect(printed[0]).toBe(logs[0]?.lines[0])
    expect(printed.slice(1)).toEqual(lines.slice(1 - printed.length))
  })

  it('keeps a folder’s sessions apart from those of other folders', async () => {
    using place = workplace()
    await place.run(['-p', 'hello'])
    const { code, stderr } = await place.run(['-c', '-p', 'hello', '--cwd', place.config])
    expect([code, stderr]).toEqual([
      2,
      `rxpi: There is no session to continue in ${place.config}; start a new one there\n`,
    ])
  })

  it('with --no-session writes nothing [CLI-continue]', async () => {
    using place = workplace()
    expect(await place.run(['--no-session', '-p', 'What is in this folder?'])).toMatchObject({ code: 0 })
    expect(place.kept()).toEqual([])
  })

  it('with --no-session still prints the whole run in JSON', async () => {
    using place = workplace()
    const { stdout } = await place.run(['--no-session', '--mode', 'json', '-p', 'hello'])
    const printed = stdout.trimEnd().split('\n')
    expect(foldLines(printed.slice(1)).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('works in the folder that --cwd names [CLI-continue]', async () => {
    using place = workplace({ 'inner/only.txt': 'x' })
    const model = place.scripted([{ toolCalls: [{ name: 'bash', arguments: { command: 'ls' } }] }, { text: 'ok' }])
    await place.run(['-p', 'x', '--model', model, '--cwd', 'inner'])
    const [log] = place.logs()
    expect(foldLines(numbered(log?.lines ?? [])).map(told)).toContainEqual(['toolResult', 'only.txt\n'])
  })

  it('gives tools the caller’s environment [S7b]', async () => {
    using place = workplace()
    const model = place.scripted([
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo "$MOON-$PWD"' } }] },
      { text: 'ok' },
    ])
    await place.run(['-p', 'x', '--model', model], { env: { MOON: 'base' } })
    const [log] = place.logs()
    expect(foldLines(numbered(log?.lines ?? [])).map(told)).toContainEqual(['toolResult', `base-${place.folder}\n`])
  })
})

describe('the prompt', () => {
  it('in a folder that is gone says so', async () => {
    using place = workplace({ 'gone/a.txt': '' })
    const ended = await place.run(['-p', 'x'], { cwd: join(place.folder, 'gone'), before: 'rm -r ../gone' })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(/^rxpi: the folder that this shell is in is not there any more; .*--cwd\n/m)
  })

  it('takes a pipe that the shell made as an @file', async () => {
    using place = workplace()
    const model = place.scripted([{ text: 'ok' }])
    const before = 'exec 9<<END\nfrom a pipe\nEND'
    expect(await place.run(['-p', 'why?', '@/dev/fd/9', '--model', model], { before })).toMatchObject({ code: 0 })
    expect(place.logs()[0]?.lines.join('\n')).toContain('<file path=\\"/dev/fd/9\\">\\nfrom a pipe\\n\\n</file>')
  })

  it('takes what is piped in, and @files with their paths [CLI-input]', async () => {
    using place = workplace({ 'a.txt': 'alpha\n' })
    const model = place.scripted([{ text: 'ok' }])
    await place.run(['-p', 'why?', '@a.txt', '--model', model], { stdin: 'piped\n' })
    const [log] = place.logs()
    const [user] = foldLines(numbered(log?.lines ?? []))
    expect(user === undefined ? undefined : told(user)).toEqual([
      'user',
      '<file path="a.txt">\nalpha\n\n</file>\n\n<stdin>\npiped\n</stdin>\n\nwhy?',
    ])
  })

  it('may be what is piped in, also without -p', async () => {
    using place = workplace({ 'only.txt': '' })
    const { code, stdout } = await place.run(['--model', 'demo/guide'], { stdin: 'What is in this folder?' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('only.txt')])
  })

  it('does not look at standard input with --no-stdin [CLI-input]', async () => {
    using place = workplace()
    const { code, stderr } = await place.run(['-p', 'hello', '--no-stdin'], { stdin: null })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('waiting')])
  })

  it('waits for the end of standard input and says so after 3 s [CLI-waits]', async () => {
    using place = workplace()
    const running = place.start(['-p', 'hello'], { stdin: null })
    await running.said('waiting for the end of standard input')
    running.child.stdin?.end('')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  it('takes images', async () => {
    using place = workplace()
    place.write(
      'a.png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    )
    await place.run(['-p', 'what?', '@a.png', '--model', place.scripted([{ text: 'ok' }])])
    const [log] = place.logs()
    const [user] = foldLines(numbered(log?.lines ?? []))
    expect(user === undefined ? undefined : told(user)).toEqual(['user', 'what?', 'image'])
  })

  it('is refused with a file that is not there, before a session is made', async () => {
    using place = workplace()
    const { code, stdout, stderr } = await place.run(['-p', 'why?', '@missing.txt'])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^rxpi: @missing\.txt cannot be read: ENOENT/),
    ])
    expect(place.kept()).toEqual([])
  })
})

describe('the command', () => {
  it.each<[string[], number, RegExp, RegExp]>([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['-p', 'x', '--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /^rxpi — a coding agent[^]*Examples/, /^$/],
    [[], 0, /^rxpi — a coding agent/, /^$/],
    [['tool', '--help'], 0, /^Usage: rxpi tool/, /^$/],
    [['--frobnicate'], 2, /^$/, /^rxpi: Unknown option '--frobnicate' .*; see rxpi --help\n$/],
    [['completions'], 2, /^$/, /^rxpi: "rxpi completions" is not there yet in this version\n$/],
    [['-p'], 2, /^$/, /^rxpi: -p needs a prompt/],
    [['--model', 'demo/guide'], 2, /^$/, /^rxpi: --model needs -p and a prompt/],
    [['-p', 'x', '--model', 'nobody/knows'], 2, /^$/, /^rxpi: .*nobody/],
    [['-p', 'x', '--tools', 'read,fly'], 2, /^$/, /^rxpi: .*fly/],
    [['-p', 'x', '--cwd', 'nowhere'], 2, /^$/, /^rxpi: .*nowhere/],
    [['-p', 'x', '--session', 'aaaaaaaaaaaa'], 2, /^$/, /^rxpi: .*aaaaaaaaaaaa/],
    [['tool', 'read', '{"path":"a.txt"}'], 0, /^alpha\n$/, /^$/],
    [['tool', 'read', '{"path":"b.txt"}'], 1, /b\.txt/, /^$/],
    [['tool', 'read', '{"paths":1}'], 1, /path/, /^$/],
    [['tool', 'fly', '{}'], 2, /^$/, /^rxpi: .*"fly".*read/],
    [['doctor'], 0, /^ok {4}rxpi[^]*ok {4}bash[^]*demo\/guide/, /^$/],
  ])('%j ends with %i [CLI-options, CLI-help, EXIT-2]', async (commandLine, code, stdout, stderr) => {
    using place = workplace({ 'a.txt': 'alpha\n' })
    const ended = await place.run(commandLine)
    expect(ended.stdout).toMatch(stdout)
    expect(ended.stderr).toMatch(stderr)
    expect(ended.code).toBe(code)
  })

  it.each([
    ['a file', '', / FAIL {2}state folder {3}.*\/file is not a folder; move it away, or set RXPI_HOME/],
    ['no place for a folder', '/below', / FAIL {2}state folder {3}Could not use .*\/file\/below: ENOTDIR/],
  ])('doctor says what is wrong with a state folder that is %s', async (_, below, wanted) => {
    using place = workplace({ file: '' })
    const ended = await place.run(['doctor'], { env: { RXPI_HOME: join(place.folder, `file${below}`) } })
    expect([ended.code, ended.stdout.replaceAll('\n', ' ')]).toEqual([1, expect.stringMatching(wanted)])
  })

  it('reports in one JSON document with --json, and names keys without their values [CLI-document]', async () => {
    using place = workplace({ 'a.txt': 'alpha\n' })
    const tool = await place.run(['tool', 'read', '{"path":"a.txt"}', '--json'])
    expect(JSON.parse(tool.stdout)).toMatchObject({ isError: false, content: [{ type: 'text', text: 'alpha\n' }] })
    const { stdout, stderr } = await place.run(['doctor', '--json'], { env: { OPENAI_API_KEY: 'sk-planted-secret' } })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] }
    expect(checks.find(({ name }) => name === 'keys')?.message).toContain('OPENAI_API_KEY')
    expect(stdout + stderr).not.toContain('planted')
  })

  it('names file, key and reason of a configuration that is not valid [EXIT-2]', async () => {
    using place = workplace()
    place.configure('settings.json', { limits: { turns: 'many' } })
    const { code, stderr } = await place.run(['-p', 'hello'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^rxpi: .*settings\.json.*limits.*turns/)])
  })
})
