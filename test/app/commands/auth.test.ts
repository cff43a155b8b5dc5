// Tests `rxpi auth`: storing and listing keys.
import { Buffer } from 'node:buffer'
import { EMPTY, NEVER, concat, firstValueFrom, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { auth } from '../../../app/commands/auth.ts'
import type { AuthInvocation } from '../../../app/cli/auth-arguments.ts'
import type { FakeCommands } from '../../support/fake-backend.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import type { FakeWorldOptions } from '../../support/fake-world.ts'

const key = 'sk-planted-0123456789abcdef'

function invocation(...words: string[]): AuthInvocation {
  const found = parseCommandLine(['auth', ...words])
  if (found.mode !== 'auth') throw new Error(`not auth: ${words.join(' ')}`)
  return found
}

interface Begun {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function begin(words: string[], own: FakeWorldOptions = {}, typed$?: Observable<string>): Promise<Begun> {
  const { world, stdout, stderr } = fakeWorld(own)
  const env = { ...world.env, RXPI_SOCKET: '/nowhere/rxpi.sock' }
  const raw$ = (typed$ ?? EMPTY).pipe(map((text) => Buffer.from(text)))
  const stdin = typed$ === undefined ? world.stdin : { ...world.stdin, isEmpty: true, terminal: { raw$ } }
  const code = await firstValueFrom(auth(invocation(...words), { ...world, env, stdin }), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

/** Commands that record the keys to store. */
function storing(): { readonly options: string[]; readonly commands: FakeCommands } {
  const options: string[] = []
  return {
    options,
    commands: {
      authSet: (command) => {
        options.push(command.add === true ? `+${command.key}` : command.key)
        const notices = [{ code: 'key_unused', message: 'OPENAI_API_KEY takes precedence' }]
        return of({ keyId: 'k3v7pq2a', kept: 'file', origin: 'https://api.openai.com', notices })
      },
    },
  }
}

describe('rxpi auth set', () => {
  it.each<[string, string[], string]>([
    ['typed', [key, '\r'], key],
    ['typed letter by letter, with mistakes', ['a', 'b', '\u007f\u007f', 'sk', '-', '1\n'], 'sk-1'],
    ['begun anew', ['wrong', '\u0015', key, '\r'], key],
    ['pasted between marks', [`\u001b[200~${key}\u001b[201~`, '\r'], key],
    ['typed with the arrow keys', ['sk\u001b[D\u001bOC-1\r'], 'sk-1'],
    ['typed before Esc and a bracket by hand', [key, '\u001b[', '\r'], key],
    ['typed before Esc alone', [key, '\u001b', '\r'], key],
    ['ended by Ctrl-D', [key, '\u0004'], key],
    ['typed with space around it', [` ${key} `, '\r'], key],
  ])('stores a key that is %s, and prints none of it', async (_, pieces, wanted) => {
    const { options, commands } = storing()
    const { code, out, err } = await begin(['set', 'openai'], { commands }, concat(of(...pieces), NEVER))
    expect([code, options]).toEqual([0, [wanted]])
    expect(err).toContain('Key for openai (input is hidden): \n')
    expect(err).toContain('OPENAI_API_KEY takes precedence')
    expect(out).toContain('Stored the key k3v7pq2a of openai')
    for (const shown of [out, err]) expect(shown).not.toMatch(/sk-/)
  })

  it('stores a key from piped input', async () => {
    const { options, commands } = storing()
    const stdin$ = of(Buffer.from(`${key}\n`))
    const { code, out } = await begin(['set', 'openai', '--add', '--json'], { commands, stdin$ })
    expect([code, options]).toEqual([0, [`+${key}`]])
    expect(JSON.parse(out)).toMatchObject({ keyId: 'k3v7pq2a', kept: 'file' })
    expect(out).not.toContain(key)
  })

  it.each<[string, string[], Observable<string> | undefined, object]>([
    ['is cancelled', ['set', 'openai'], of('sk-', '\u0003'), { code: 'cancelled' }],
    ['is cancelled after Esc and a bracket by hand', ['set', 'openai'], of('\u001b[', '\u0003'), { code: 'cancelled' }],
    ['ends on an empty line', ['set', 'openai'], of('\u0004'), { code: 'cancelled' }],
    ['is empty', ['set', 'openai'], of('  \r'), { code: 'bad_request' }],
    ['has neither terminal nor pipe', ['set', 'openai'], undefined, { code: 'bad_request' }],
  ])('stores nothing if the input %s [CLI-auth]', async (_, words, typed$, failure) => {
    const { options, commands } = storing()
    await expect(begin(words, { commands }, typed$)).rejects.toMatchObject(failure)
    expect(options).toEqual([])
  })

  it.each([
    ['set', 'openai', key],
    ['set', key.toUpperCase()],
    ['rm', 'openai', key],
    ['verify', 'openai', key],
  ])('rejects a key on the command line without repeating it: %s [CLI-auth]', (...words) => {
    expect(() => invocation(...words)).toThrow(
      /too many arguments|needs the name of a provider|needs the id of a stored key/,
    )
    expect(() => invocation(...words)).not.toThrow(/planted/i)
  })
})

describe('rxpi auth list', () => {
  const providers: ResultOf<'auth_list'>['providers'] = [
    {
      provider: 'openai',
      keys: [
        { from: 'environment', kind: 'variable', name: 'OPENAI_API_KEY', tail: '…wxyz', used: true },
        {
          from: 'file',
          kind: 'key',
          keyId: 'k3v7pq2a',
          origin: 'https://api.openai.com',
          used: false,
          unusedBecause: 'OPENAI_API_KEY takes precedence',
        },
      ],
    },
    { provider: 'work', keys: [{ from: 'models', kind: 'command', used: true }] },
  ]
  const commands: FakeCommands = { authList: () => of({ providers }) }

  it('prints the source of each key [CLI-auth]', async () => {
    expect((await begin(['list'], { commands })).out).toBe(
      [
        'openai  environment $OPENAI_API_KEY …wxyz         used',
        '        file k3v7pq2a for https://api.openai.com  not used: OPENAI_API_KEY takes precedence',
        'work    models.json a command                     used',
        '',
      ].join('\n'),
    )
  })

  it('prints one JSON document with --json', async () => {
    expect(JSON.parse((await begin(['list', '--json'], { commands })).out)).toEqual({ providers })
  })

  it('prints how to store a key if there is none', async () => {
    expect((await begin(['list'])).out).toContain('rxpi auth set <provider>')
  })
})

describe('rxpi auth rm and verify', () => {
  it('rm prints the number of removed keys', async () => {
    expect((await begin(['rm', 'openai'])).out).toBe('Removed 1 stored key of openai\n')
  })

  it.each([
    ['valid', 0],
    ['unknown', 1],
    ['refused', 3],
    ['unreachable', 3],
  ] as const)('verify maps the outcome %s to exit code %i', async (outcome, wanted) => {
    const commands: FakeCommands = { authVerify: () => of({ outcome, message: 'it says so' }) }
    expect(await begin(['verify', 'openai'], { commands })).toMatchObject({
      code: wanted,
      out: `${outcome}: it says so\n`,
    })
  })

  it.each([[[]], [['frobnicate']], [['set']], [['set', '']], [['rm']], [['list', '--add']], [['list', 'a', 'b']]])(
    'reject %j',
    (words) => {
      expect(() => invocation(...words)).toThrow(/^auth|^"rxpi auth/)
    },
  )
})
