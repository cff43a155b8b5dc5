// Tests `rxpi auth login` and `logout`: what a person sees, pastes and cancels.
import { Buffer } from 'node:buffer'
import { NEVER, Subject, concat, defer, firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { auth } from '../../../app/commands/auth.ts'
import type { AuthInvocation } from '../../../app/cli/auth-arguments.ts'
import type { LoginState } from '../../../lib/streams/commands/account-commands.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FakeCommands } from '../../support/fake-backend.ts'
import { fakeWorld } from '../../support/fake-world.ts'

const base = {
  loginId: 'abcdefg2',
  provider: 'xai',
  title: 'xAI',
  method: 'device',
  revision: 0,
  step: 'starting',
} as const
const inMinutes = (minutes: number) => Date.now() + minutes * 60_000

function invocation(...words: string[]): AuthInvocation {
  const found = parseCommandLine(['auth', ...words])
  if (found.mode !== 'auth') throw new Error(`not auth: ${words.join(' ')}`)
  return found
}

function commandsWith(states: readonly Partial<LoginState>[], own: FakeCommands = {}): FakeCommands {
  const all = states.map((state, index): LoginState => ({ ...base, revision: index, ...state }))
  const [first = base] = all
  return {
    login: () => of({ login: first }),
    waitForLogin: ({ revision }) => {
      const next = all[revision + 1]
      return next === undefined ? NEVER : of({ login: next })
    },
    ...own,
  }
}

async function run(words: string[], commands: FakeCommands, typed?: readonly string[]) {
  const { world, stdout, stderr } = fakeWorld({ commands })
  // each line is read by a subscriber of its own, as at a terminal
  const lines = [...(typed ?? [])]
  const raw$ = defer(() => {
    const line = lines.shift()
    return line === undefined ? NEVER : concat(of(Buffer.from(line)), NEVER)
  })
  const stdin = typed === undefined ? world.stdin : { ...world.stdin, isEmpty: true, terminal: { raw$ } }
  const code = await firstValueFrom(auth(invocation(...words), { ...world, stdin }), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

describe('rxpi auth login', () => {
  it('shows page and code, and the account at the end', async () => {
    const account = { accountId: 'bcdefgh2', name: 'ada', plan: 'super', expiresAt: Date.UTC(2026, 10, 26, 15) }
    const { code, out, err } = await run(
      ['login', 'xai'],
      commandsWith([
        {},
        {
          step: 'device_code',
          url: 'https://x.ai/device',
          userCode: 'ABCD',
          expiresAt: inMinutes(15),
          terms: 'Not allowed.',
        },
        { step: 'finishing' },
        {
          step: 'done',
          account,
          defaultModel: 'xai/grok',
          notices: [{ code: 'key_unused', message: 'It is not used.' }],
        },
      ]),
    )
    expect(err).toMatch(/Not allowed\.\n.*Open https/)
    expect(err).toContain('Open https://x.ai/device within 15 min and type the code ABCD')
    expect(out).toBe(
      'Signed in to xAI: account ada super token until 2026-11-26T15:00Z\nIt is not used.\nTo use it: rxpi --model xai/grok -p "…"\n',
    )
    expect(code).toBe(0)
  })

  it('takes a pasted answer, again after a wrong one, and shows nothing of it', async () => {
    const texts: string[] = []
    const finished$ = new Subject<{ login: LoginState }>()
    const open: Partial<LoginState> = { method: 'browser', step: 'open_url', url: 'https://x.ai/o', listens: false }
    const { code, err } = await run(
      ['login', 'xai', 'browser'],
      commandsWith([open], {
        waitForLogin: () => finished$,
        giveLoginInput: ({ text }) => {
          texts.push(text)
          if (text === 'wrong-planted') throw new Failure('bad_request', 'This is no answer of a sign-in')
          finished$.next({
            login: { ...base, revision: 1, step: 'failed', failure: { code: 'provider_error', message: 'no' } },
          })
          return of({ login: { ...base } })
        },
      }),
      ['wrong-planted\r', 'right-planted\r'],
    )
    expect(texts).toEqual(['wrong-planted', 'right-planted'])
    expect(err).toContain('This is no answer of a sign-in')
    expect(err).toContain('Another program has the port of the answer')
    expect(err).not.toContain('planted')
    expect(code).toBe(3)
  })

  it('is cancelled on the server when the person presses Ctrl-C', async () => {
    const cancelled: string[] = []
    const commands = commandsWith([{}], {
      cancelLogin: ({ loginId }) => {
        cancelled.push(loginId)
        return of({ login: { ...base, step: 'cancelled' } })
      },
    })
    const { world } = fakeWorld({ commands })
    const running = auth(invocation('login', 'xai'), world).subscribe()
    await new Promise((resolve) => setTimeout(resolve, 5))
    running.unsubscribe()
    await expect.poll(() => cancelled, { timeout: 10_000 }).toEqual([base.loginId])
  })

  it.each([
    [['login'], 'auth login needs a provider'],
    [['login', 'xai', 'phone'], 'takes browser or device after the provider'],
    [['login', 'xai', 'device', 'more'], 'too many arguments'],
    [['set', 'xai', '--domain', 'x'], '--domain'],
  ])('rejects %j', (words, problem) => {
    expect(() => invocation(...words)).toThrow(problem)
  })

  it('passes method and domain on', () => {
    expect(invocation('login', 'github-copilot', 'device', '--domain', 'acme.ghe.com')).toEqual({
      ...{
        mode: 'auth',
        action: 'login',
        json: false,
        provider: 'github-copilot',
        method: 'device',
        domain: 'acme.ghe.com',
      },
    })
  })
})

it('rxpi auth logout removes the account and names the page', async () => {
  const { out, code } = await run(['logout', 'xai'], {})
  expect(out).toContain('Removed the account of xai from this machine')
  expect(code).toBe(0)
})
