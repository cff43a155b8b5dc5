// Tests `rxpi extensions`: arguments, requests, output and exit codes.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { extensions } from '../../../../app/commands/extensions/extensions.ts'
import type { ExtensionRow } from '../../../../lib/streams/commands/extension-commands.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

async function begin(words: string[], commands: FakeCommands = {}) {
  const invocation = parseCommandLine(['extensions', ...words, '--cwd', '/work'])
  if (invocation.mode !== 'extensions') throw new Error(`not extensions: ${words.join(' ')}`)
  const { world, stdout, stderr } = fakeWorld({ commands })
  const code = await firstValueFrom(extensions(invocation, world), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

const digest = 'a'.repeat(64)
const row: ExtensionRow = { id: 'user:/x/checksum', name: 'checksum', origin: 'user', root: '/x/checksum', entry: '/x/checksum/index.ts', digest, state: 'pending' } // prettier-ignore

function recording() {
  const requests: object[] = []
  const commands: FakeCommands = {
    listExtensions: (command) => {
      requests.push({ list: command })
      const second: ExtensionRow = { ...row, id: 'path:/y', name: 'bundle/a', root: '/y', origin: 'path', state: 'trusted', digest: 'b'.repeat(64), dev: true, changed: true, pi: true, mayReplace: ['bash'] } // prettier-ignore
      return of({ extensions: [row, second], problems: [{ path: '/x/bad', message: 'it has no index.ts' }] })
    },
    trustExtension: (command, operator) => {
      requests.push({ trust: command, operator })
      return of({ extensions: [{ ...row, state: 'trusted', ...(command.isolate && { isolate: true }) }] })
    },
    killExtension: (command) => {
      requests.push({ kill: command })
      return of({ extensions: [{ ...row, state: 'killed' }] })
    },
  }
  return { requests, commands }
}

describe('rxpi extensions list', () => {
  it('prints each with its state, place and remarks, and what is wrong [CLI-extensions]', async () => {
    const { code, out, err } = await begin(['list'], recording().commands)
    expect([code, out]).toEqual([
      0,
      '○ pending       checksum  user     /x/checksum\n● trusted       bundle/a  path     /y  (dev; of pi; may replace bash)\n',
    ])
    expect(err).toBe('rxpi: /x/bad: it has no index.ts\nrxpi: to let one run: rxpi extensions trust checksum\n')
    expect(JSON.parse((await begin(['--json'], recording().commands)).out)).toMatchObject({ extensions: [row, {}] })
    expect((await begin([])).err).toContain('there are no extensions')
  })
})

describe('rxpi extensions trust, ack, forget and kill', () => {
  it('send the digest that is there now, with the marks and the reason [COMMAND-only, CLI-extensions]', async () => {
    const { requests, commands } = recording()
    const { code, out } = await begin(['trust', 'checksum', '--reason', 'I read it'], commands)
    expect([code, out]).toEqual([0, `● trusted  checksum  /x/checksum\n  SHA-256 ${digest}\n`])
    expect(requests).toMatchObject([
      { list: { cwd: '/work' } },
      { trust: { extension: 'checksum', answer: 'trust', digest, reason: 'I read it' }, operator: 'cli' }, // prettier-ignore
    ])
    const isolated = await begin(['trust', 'checksum', '--isolate'], recording().commands)
    expect(isolated.out).toBe(`● trusted  checksum  /x/checksum  (isolated)\n  SHA-256 ${digest}\n`)
    const bundle = recording()
    const { err } = await begin(['ack', 'bundle', '--dev', '--may-replace', 'bash,read'], bundle.commands)
    expect(bundle.requests[1]).toMatchObject({ trust: { answer: 'acknowledge', digest: 'b'.repeat(64), dev: true, mayReplace: ['bash', 'read'] } }) // prettier-ignore
    expect(err).toContain('the agent too')
    const forgotten = recording()
    await begin(['forget', 'checksum'], forgotten.commands)
    expect(forgotten.requests[1]).toEqual({
      trust: { cwd: '/work', env: expect.any(Object) as object, extension: 'checksum', answer: 'pending' },
      operator: expect.any(String) as string,
    })
  })

  it('take the path of a file or folder', async () => {
    const { requests, commands } = recording()
    await begin(['kill', '/y', '--reason', 'curious'], commands)
    expect(requests).toMatchObject([{ kill: { extension: '/y', extensions: ['/y'], reason: 'curious' } }])
    const trusted = recording()
    await begin(['trust', '/y'], trusted.commands)
    expect(trusted.requests).toMatchObject([{ list: { extensions: ['/y'] } }, { trust: { extension: '/y', digest: 'b'.repeat(64) } }]) // prettier-ignore
  })
})

describe('rxpi extensions audit', () => {
  it('prints decisions and uses, and that there are more [CLI-extensions]', async () => {
    const entries = [
      { time: 0, id: 'user:/x', name: 'checksum', activated: true, previous: 'pending' as const, next: 'acknowledged' as const, operator: 'rxpi', reason: 'a\nb', digest }, // prettier-ignore
      { time: 1_000, id: 'user:/x', capability: 'exec', detail: 'ls -l' },
    ]
    const { out, err } = await begin(['audit', 'checksum', '--limit', '2'], { auditExtensions: () => of({ entries, more: true }) }) // prettier-ignore
    expect(out).toBe(
      '1970-01-01 00:00:00  checksum  pending → acknowledged  by rxpi: a b\n1970-01-01 00:00:01  user:/x  exec  ls -l\n',
    )
    expect(err).toContain('these are the last 2')
    expect((await begin(['audit'])).err).toContain('no entries')
  })
})

describe('the arguments', () => {
  it.each([
    [['trus', 'x'], /rxpi extensions trust/],
    [['trust'], /needs a name/],
    [['trust', 'a', 'b'], /unexpected argument "b"/],
    [['list', 'a'], /unexpected argument "a"/],
    [['list', '--dev'], /no option --dev/],
    [['kill', 'a', '--reason', ''], /--reason must not be empty/],
    [['audit', '--limit', '0'], /--limit/],
    [['audit', '--limit', '20000'], /at most 10000/],
  ])('%j are refused', async (words, message) => {
    await expect(begin(words)).rejects.toThrow(message)
  })

  it('are those of this command alone', () => {
    expect(() => parseCommandLine(['-p', 'hi', '--dev'])).toThrow(/--dev works with rxpi extensions only/)
  })
})
