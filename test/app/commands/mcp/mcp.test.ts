// Tests `rxpi mcp`: arguments, requests, output and exit codes.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { mcp } from '../../../../app/commands/mcp/mcp.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const parse = (words: readonly string[]) => {
  const invocation = parseCommandLine(['mcp', ...words])
  if (invocation.mode !== 'mcp') throw new Error(`not mcp: ${words.join(' ')}`)
  return invocation
}

async function begin(words: readonly string[], commands: FakeCommands = {}) {
  const { world, stdout, stderr } = fakeWorld({ commands })
  const env = { ...world.env, XDG_RUNTIME_DIR: '/nowhere', RXPI_SOCKET: '/nowhere/no.sock' }
  const code = await firstValueFrom(mcp(parse([...words]), { ...world, env }), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

describe('the arguments of rxpi mcp add', () => {
  it.each<[string[], object]>([
    [['files', '--', 'npx', '-y', 'x'], { command: 'npx', args: ['-y', 'x'] }],
    [['files', 'run', '--env', 'A=b=c', '--env', 'D='], { command: 'run', env: { A: 'b=c', D: '' } }],
    [['i', 'https://x.example/mcp'], { type: 'http', url: 'https://x.example/mcp' }],
    [
      ['i', 'http://x', '--transport', 'sse', '--header', 'A: b:c'],
      { type: 'sse', url: 'http://x', headers: { A: 'b:c' } },
    ],
    [['i', 'https://x', '--transport', 'stdio'], { command: 'https://x' }],
  ])('%j', (words, entry) => {
    expect(parse(['add', ...words])).toMatchObject({ action: 'add', entry, replace: false })
  })

  it.each<[string[], string]>([
    [['nope'], 'mcp has no action "nope"'],
    [['lst'], 'Did you mean rxpi mcp list?'],
    [['add'], 'needs a name'],
    [['add', 'a b', 'x'], 'is no name of a server'],
    [['add', 'files'], 'needs a command or an address'],
    [['add', 'i', 'https://x', '--env', 'A=b'], '--env is for a command'],
    [['add', 'i', 'https://x', 'more'], 'an address takes no arguments'],
    [['add', 'f', 'x', '--header', 'A: b'], '--header is for an address'],
    [['add', 'f', 'x', '--env', 'A'], '--env is NAME=VALUE'],
    [['add', 'f', 'x', '--transport', 'ws'], '--transport is stdio, http or sse'],
    [['list', 'x'], 'takes options only'],
    [['test', 'a', 'b'], 'takes one server'],
    [['rm', 'a', '--trust'], 'has no option --trust'],
    [['import'], 'mcp import takes claude, codex, cursor, vscode'],
    [['import', 'emacs'], 'not "emacs"'],
  ])('refuses %j', (words, message) => {
    expect(() => parse(words)).toThrow(message)
  })

  it('are foreign to a run', () => {
    expect(() => parseCommandLine(['-p', 'x', '--header', 'a:b'])).toThrow('rxpi mcp add only')
  })
})

describe('rxpi mcp', () => {
  it('list prints each with its state, and what is wrong [CLI-mcp]', async () => {
    const commands: FakeCommands = {
      listServers: () =>
        of({
          file: '/s.json',
          servers: [
            { name: 'files', origin: 'user', command: 'npx', args: ['x'], env: ['TOKEN'], state: 'ready', tools: 2 },
            { name: 'theirs', origin: 'project', command: './x', problem: 'the folder is not trusted' },
          ],
          problems: ['bad file'],
        }),
    }
    const { code, out, err } = await begin(['list'], commands)
    expect([code, err]).toEqual([0, 'rxpi: bad file\n'])
    expect(out).toBe(
      '● files  (user; ready, 2 tools)\n  npx x · TOKEN\n✗ theirs  (project; the folder is not trusted)\n  ./x\n',
    )
    expect(JSON.parse((await begin(['--json'], commands)).out)).toMatchObject({ servers: [{}, {}] })
    expect((await begin([])).err).toContain('there are no MCP servers')
  })

  it('test has the exit code 1 if the server does not answer', async () => {
    const report = { server: 'files', tools: [{ name: 'read', description: 'Reads.\nMore.' }], resources: 1, prompts: 0, durationMs: 5, notices: ['“x” is left out'] } // prettier-ignore
    const good = await begin(['test', 'files'], { testServer: () => of({ ...report, state: 'ready', title: 'F 1' }) })
    expect([good.code, good.out]).toEqual([
      0,
      '● files: ready  (F 1, 5 ms)\n  1 tool, 0 prompts, 1 resource\n  read  Reads.\n  “x” is left out\n',
    ])
    const bad = await begin(['test', 'files'], { testServer: () => of({ ...report, tools: [], notices: [], state: 'failed', error: 'no', log: ['usage:', 'bad'] }) }) // prettier-ignore
    expect([bad.code, bad.out]).toEqual([
      1,
      '✗ files: failed  (5 ms)\n  no\n  The end of its log:\n    usage:\n    bad\n',
    ])
  })

  it('import shows what there is, and with --write adds what can be added [CLI-mcp]', async () => {
    const requests: unknown[] = []
    const rows = [
      { name: 'a', command: 'a' },
      { name: 'b', command: 'b', present: true as const },
      { name: 'c', command: 'c', problem: 'no' },
    ]
    const commands: FakeCommands = {
      importServers: ({ from, add = [] }) => {
        requests.push([from, add])
        const servers = rows.map((row) => (add.includes(row.name) ? { ...row, added: true as const } : row))
        return of({ files: [], file: '/s.json', servers })
      },
    }
    const shown = await begin(['import', 'claude'], commands)
    expect(shown.err).toContain('add --write to add them to /s.json')
    expect(shown.out).toContain('○ a  (can be added)')
    const written = await begin(['import', 'claude', '--write'], commands)
    expect([written.err, written.out.split('\n')[0]]).toEqual(['', '● a  (added)'])
    await begin(['import', 'claude', 'a', '--write'], commands)
    expect(requests).toEqual([
      ['claude', []],
      ['claude', []],
      ['claude', ['a']],
      ['claude', []],
      ['claude', ['a']],
    ])
  })

  it('add, show, rm, logs and restart send the name [CLI-mcp]', async () => {
    const requests: unknown[] = []
    const record =
      <Result>(result: Result) =>
      (command: unknown) => {
        requests.push(command)
        return of(result)
      }
    const row = { name: 'files', origin: 'user' as const, command: 'x' }
    const commands: FakeCommands = {
      addServer: record({ file: '/s.json', server: row }),
      showServer: record({ file: '/s.json', server: row }),
      removeServer: record({ file: '/s.json' }),
      serverLogs: record({ lines: ['one', 'two'] }),
      restartServer: record({}),
    }
    const outs = []
    for (const words of [
      ['add', 'files', 'x', '--force'],
      ['show', 'files'],
      ['rm', 'files'],
      ['logs', 'files'],
      ['restart', 'files'],
    ])
      outs.push((await begin(words, commands)).out)
    expect(outs).toEqual([
      'added to /s.json\n○ files  (user; not running)\n  x\n',
      '○ files  (user; not running)\n  x\n',
      'removed files from /s.json\n',
      'one\ntwo\n',
      'files is connected anew\n',
    ])
    expect(requests).toMatchObject([{ server: 'files', entry: { command: 'x' }, replace: true }, ...Array.from({ length: 4 }, () => ({ server: 'files' }))]) // prettier-ignore
  })

  it('login shows the page of the sign-in and its end; logout names what it removes [CLI-mcp_login]', async () => {
    const open = { loginId: 'abcdefg2', provider: 'mcp:notes', title: 'notes', method: 'browser', revision: 0 } as const
    const page = { ...open, step: 'open_url', url: 'https://notes.example/authorize?state=x' } as const
    const requests: unknown[] = []
    const commands = (ending: object): FakeCommands => ({
      loginServer: ({ server }) => {
        requests.push(['login', server])
        return of({ login: page })
      },
      waitForLogin: ({ loginId, revision }) => {
        requests.push(['wait', loginId, revision])
        return of({ login: { ...open, revision: 1, step: 'done', ...ending } })
      },
      logoutServer: ({ server }) => {
        requests.push(['logout', server])
        return of({ removed: 1 })
      },
    })
    const account = { account: { accountId: 'bcdefgh2' } }
    const done = await begin(['login', 'notes'], commands(account))
    expect(done.err).toMatch(
      /Open this address to sign in to notes:\nrxpi: https:\/\/notes\.example\/authorize\?state=x\n/,
    )
    expect([done.code, done.out]).toEqual([0, 'Signed in to notes: account\n'])
    const json = await begin(['login', 'notes', '--json'], commands(account))
    expect(JSON.parse(json.out)).toMatchObject({ login: { step: 'done', ...account } })
    const failure = { code: 'provider_error', message: 'The server refused the sign-in' }
    const refused = await begin(['login', 'notes'], commands({ step: 'failed', failure }))
    expect([refused.code, refused.out]).toEqual([3, 'The sign-in failed: The server refused the sign-in\n'])
    const out = await begin(['logout', 'notes'], commands({}))
    expect([out.code, out.out]).toEqual([0, 'removed the account at notes from this machine\n'])
    const one = [['login', 'notes'], ['wait', 'abcdefg2', 0]] // prettier-ignore
    expect(requests).toEqual([...one, ...one, ...one, ['logout', 'notes']])
  })
})
