import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { candidates } from '../../../../app/commands/completions/completions.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'

async function linesOf(shell: string, line: readonly string[], commands: FakeCommands = {}): Promise<string[]> {
  const invocation = parseCommandLine(['completions', 'candidates', shell, '--', ...line])
  if (invocation.mode !== 'completions' || invocation.line === undefined) throw new Error('no candidates')
  const own = fakeWorld({ commands })
  const code = await firstValueFrom(candidates(invocation.shell, invocation.line, own.world), { defaultValue: -1 })
  expect(code).toBe(0)
  return own.stdout.written.split('\n').slice(0, -1)
}

const listServers$: NonNullable<FakeCommands['listServers']> = () =>
  of({
    file: '/settings.json',
    servers: ['files', 'a:b'].map((name) => ({ name, transport: 'stdio', origin: 'user' as const })),
    problems: [],
  })

let folder = ''
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-completions-'))))
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('the candidates for a shell', () => {
  it('come one a line, with a tab and a text; the line of bash is split [CLI-completions]', async () => {
    const expected = ['closed', "verify\tchecks every line of a session's log and names damaged ones"]
    expect(await linesOf('fish', ['sessions', 'ver'])).toEqual(expected)
    expect(await linesOf('bash', ['rxpi sessions ver'])).toEqual(expected)
  })

  it('have a colon before the text in zsh, and a backslash before their own', async () => {
    expect(await linesOf('zsh', ['mcp', 'restart', ''], { listServers: listServers$ })).toEqual([
      'closed',
      'files',
      'a\\:b',
    ])
    expect(await linesOf('zsh', ['sessions', 'rena'])).toEqual(['closed', 'rename:names a session or an entry'])
  })

  it('leave out in bash what stands before the last = or :', async () => {
    expect(await linesOf('bash', ['rxpi -p --approve=w'])).toEqual(['closed', 'writes\t'])
    expect(await linesOf('fish', ['-p', '--approve=w'])).toEqual(['closed', '--approve=writes\t'])
    expect(await linesOf('bash', ['rxpi mcp restart a:'], { listServers: listServers$ })).toEqual(['closed', 'b\t'])
  })

  it('come from the server: models that can be used first, then roles', async () => {
    const model = (id: string, usable: boolean) => ({
      model: { id, provider: 'p', api: 'a', inputs: ['text' as const], reasoning: false },
      usable,
      served: false,
    })
    const listModels$: NonNullable<FakeCommands['listModels']> = () =>
      of({
        models: [model('none', false), model('one', true)],
        total: 2,
        endpoints: [],
        roles: [{ role: 'plan', model: 'p/one', setting: 'models.plan' }],
        source: { name: 'data', version: '1', date: '2026-01-01', licence: 'MIT' },
      })
    expect(await linesOf('fish', ['--model', ''], { listModels: listModels$ })).toEqual([
      'closed',
      'p/one\t',
      'p/none\t',
      '@plan\t',
    ])
    expect(await linesOf('fish', ['--model', 'p/n'], { listModels: listModels$ })).toEqual(['closed', 'p/none\t'])
    expect(await linesOf('fish', ['auth', 'verify', ''], { listModels: listModels$ })).toEqual(['closed', 'p\t'])
  })

  it('are none if the server fails', async () => {
    const fail$ = () => throwError(() => new Failure('storage', 'no'))
    expect(await linesOf('fish', ['mcp', 'restart', ''], { listServers: fail$ })).toEqual(['closed'])
  })

  it('leave files and folders to the shell, except after @ or =', async () => {
    const at = `${folder}/src/`
    mkdirSync(`${at}sub`, { recursive: true })
    for (const name of ['a file.ts', '.hidden']) writeFileSync(at + name, '')
    expect(await linesOf('fish', ['sessions', 'import', at])).toEqual(['files'])
    expect(await linesOf('fish', ['-p', '--cwd', at])).toEqual(['folders'])
    expect(await linesOf('fish', ['-p', `@${at}`])).toEqual(['open', `@${at}a file.ts\t`, `@${at}sub/\t`])
    expect(await linesOf('fish', ['-p', `--cwd=${at}`])).toEqual(['open', `--cwd=${at}sub/\t`])
    expect(await linesOf('fish', ['-p', `@${at}nothing/x`])).toEqual(['closed'])
  })
})
