// Tests the sources of the prompt in print mode.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { comparable, foldLines, durableLines } from './print-scene.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const demo = ['--model', 'demo/guide']

describe('the prompt', () => {
  const inDeletedFolder: readonly [string, RegExp][] = [
    ['-p x', /; change to another, or name one with --cwd$/m],
    ['models', /; change to another$/m],
    ['auth list', /; change to another$/m],
    ['config list', /; change to another$/m],
    ['sessions tree', /; change to another$/m],
  ]
  it.each(sampleRows(inDeletedFolder, 1))('in a deleted folder fails with a message: %s', async (line, notices) => {
    using workspace = workplace({ 'gone/a.txt': '' })
    const ended = await workspace.run(line.split(' '), { cwd: join(workspace.folder, 'gone'), before: 'rm -r ../gone' })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(/^rxpi: the current folder does not exist any more; /m)
    expect(ended.stderr).toMatch(notices)
  })

  it('reads an @file that is a pipe of the shell', async () => {
    using workspace = workplace()
    const model = workspace.scripted([{ text: 'ok' }])
    const before = 'exec 9<<END\nfrom a pipe\nEND'
    expect(await workspace.run(['-p', 'why?', '@/dev/fd/9', '--model', model], { before })).toMatchObject({ code: 0 })
    expect(workspace.logs()[0]?.lines.join('\n')).toContain('<file path=\\"/dev/fd/9\\">\\nfrom a pipe\\n\\n</file>')
  })

  it('includes piped input, and @files with their paths [CLI-input]', async () => {
    using workspace = workplace({ 'a.txt': 'alpha\n' })
    const model = workspace.scripted([{ text: 'ok' }])
    await workspace.run(['-p', 'why?', '@a.txt', '--model', model], { stdin: 'piped\n' })
    const [log] = workspace.logs()
    const [user] = foldLines(durableLines(log?.lines ?? []))
    expect(user === undefined ? undefined : comparable(user)).toEqual([
      'user',
      '<file path="a.txt">\nalpha\n\n</file>\n\n<stdin>\npiped\n</stdin>\n\nwhy?',
    ])
  })

  it.runIf(isFull)('may be piped in, also without -p', async () => {
    using workspace = workplace({ 'only.txt': '' })
    const { code, stdout } = await workspace.run(['--model', 'demo/guide'], { stdin: 'What is in this folder?' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('only.txt')])
  })

  it('ignores standard input with --no-stdin [CLI-input]', async () => {
    using workspace = workplace()
    const { code, stderr } = await workspace.run([...demo, '-p', 'hello', '--no-stdin'], { stdin: null })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('waiting')])
  })

  it('waits for the end of standard input, with a notice after 3 s [CLI-waits]', async () => {
    using workspace = workplace()
    const running = workspace.start([...demo, '-p', 'hello'], { stdin: null })
    await running.outputText('waiting for the end of standard input')
    running.child.stdin?.end('')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  it.runIf(isFull)('includes images', async () => {
    using workspace = workplace()
    workspace.write(
      'a.png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    )
    await workspace.run(['-p', 'what?', '@a.png', '--model', workspace.scripted([{ text: 'ok' }])])
    const [log] = workspace.logs()
    const [user] = foldLines(durableLines(log?.lines ?? []))
    expect(user === undefined ? undefined : comparable(user)).toEqual(['user', 'what?', 'image'])
  })

  it('is refused if a file is missing, before a session is created', async () => {
    using workspace = workplace()
    const { code, stdout, stderr } = await workspace.run(['-p', 'why?', '@missing.txt'])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^rxpi: @missing\.txt cannot be read: there is no such file in \//),
    ])
    expect(workspace.stored()).toEqual([])
  })
})

describe('the command', () => {
  const lines: readonly [string[], number, RegExp, RegExp][] = [
    [['-p', 'x', '--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [[], 0, /^rxpi — a coding agent/, /^$/],
    [['--frobnicate'], 2, /^$/, /^rxpi: there is no option --frobnicate\. .*; see rxpi --help\n$/],
    [['--model', 'demo/guide'], 2, /^$/, /^rxpi: --model needs -p and a prompt/],
    [['-p', 'x', '--session', 'aaaaaaaaaaaa'], 2, /^$/, /^rxpi: .*aaaaaaaaaaaa/],
    [['tool', 'read', '{"path":"a.txt"}'], 0, /^alpha\n$/, /^$/],
    [['tool', 'fly', '{}'], 2, /^$/, /^rxpi: .*"fly".*read/],
    [['doctor'], 0, /^ok {4}rxpi[^]*ok {4}bash[^]*demo\/guide/, /^$/],
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /^rxpi — a coding agent[^]*Examples/, /^$/],
    [['tool', '--help'], 0, /^Usage: rxpi tool/, /^$/],
    [['completions', 'tcsh'], 2, /^$/, /^rxpi: completions needs a shell: rxpi completions bash\|zsh\|fish\n$/],
    [['-p'], 2, /^$/, /^rxpi: -p needs a prompt/],
    [['-p', 'x', '--model', 'nobody/knows'], 2, /^$/, /^rxpi: .*nobody/],
    [[...demo, '-p', 'x', '--tools', 'read,fly'], 2, /^$/, /^rxpi: .*fly/],
    [['-p', 'x', '--cwd', 'nowhere'], 2, /^$/, /^rxpi: .*nowhere/],
    [['tool', 'read', '{"path":"b.txt"}'], 1, /b\.txt/, /^$/],
    [['tool', 'read', '{"paths":1}'], 1, /path/, /^$/],
  ]
  it.each(sampleRows(lines, 8))(
    '%j ends with %i [CLI-options, CLI-help, EXIT-2]',
    async (commandLine, code, stdout, stderr) => {
      using workspace = workplace({ 'a.txt': 'alpha\n' })
      const ended = await workspace.run(commandLine)
      expect(ended.stdout).toMatch(stdout)
      expect(ended.stderr).toMatch(stderr)
      expect(ended.code).toBe(code)
    },
  )

  const stateFolders: readonly [string, string, RegExp][] = [
    ['a file', '', / FAIL {2}state folder {3}.*\/file is not a folder; move it away, or set RXPI_HOME/],
    [
      'below a file',
      '/below',
      / FAIL {2}state folder {3}Could not use .*\/file\/below: a part of the path is a file, not a folder/,
    ],
  ]
  it.each(sampleRows(stateFolders, 1))('doctor reports a state folder that is %s', async (_, below, wanted) => {
    using workspace = workplace({ file: '' })
    const ended = await workspace.run(['doctor'], { env: { RXPI_HOME: join(workspace.folder, `file${below}`) } })
    expect([ended.code, ended.stdout.replaceAll('\n', ' ')]).toEqual([1, expect.stringMatching(wanted)])
  })

  it('prints one JSON document with --json, and names keys without their values [CLI-document]', async () => {
    using workspace = workplace({ 'a.txt': 'alpha\n' })
    const tool = await workspace.run(['tool', 'read', '{"path":"a.txt"}', '--json'])
    expect(JSON.parse(tool.stdout)).toMatchObject({ isError: false, content: [{ type: 'text', text: 'alpha\n' }] })
    const { stdout, stderr } = await workspace.run(['doctor', '--json'], {
      env: { OPENAI_API_KEY: 'sk-planted-secret' },
    })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] }
    expect(checks.find(({ name }) => name === 'keys')?.message).toContain('OPENAI_API_KEY')
    expect(stdout + stderr).not.toContain('planted')
  })

  it('names file, key and reason of an invalid configuration [EXIT-2]', async () => {
    using workspace = workplace()
    workspace.configure('settings.json', { limits: { turns: 'many' } })
    const { code, stderr } = await workspace.run(['-p', 'hello'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^rxpi: .*settings\.json.*limits.*turns/)])
  })
})
