// Tests the sign-ins that an editor offers: the methods, the pages, the ends.
import type { CreateElicitationRequest } from '@agentclientprotocol/sdk'
import { NEVER, firstValueFrom, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { signIn, signInMethods } from '../../../../app/acp/auth/sign-in.ts'
import type { SignInOptions } from '../../../../app/acp/auth/sign-in.ts'
import type { Login } from '../../../../app/connect/login-states.ts'
import { requestErrorOf } from '../../../../app/acp/wire/acp-error.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'

const start: Login = {
  loginId: 'aaaaaaaa',
  provider: 'acme',
  title: 'Acme',
  method: 'browser',
  revision: 1,
  step: 'starting',
}

interface Server {
  readonly client: SignInOptions['client']
  readonly sent: string[]
}

/** Answers the commands of a sign-in with these states, one after the other. */
function server(states: readonly Partial<Login>[], usable = 0): Server {
  const sent: string[] = []
  let at = 0
  const next = (): Login => {
    at += 1
    return { ...start, ...states[at - 1], revision: at }
  }
  const answers: Record<string, () => Observable<unknown>> = {
    auth_accounts: () => of({ vendors: [{ provider: 'acme', title: 'Acme', methods: ['browser'] }] }),
    auth_login: () => of({ login: next() }),
    auth_login_wait: () => (at < states.length ? of({ login: next() }) : NEVER),
    auth_login_cancel: () => of({ login: start }),
    list_models: () => of({ total: usable }),
  }
  const request$ = ({ type }: { readonly type: string }): Observable<never> => {
    sent.push(type)
    return (answers[type]?.() ?? throwError(() => new Failure('bad_request', type))) as Observable<never>
  }
  return { client: { request: request$ }, sent }
}

/** The person answers each page with `action`. */
function signInWith(states: readonly Partial<Login>[], action: string, method = 'login:acme', usable = 0) {
  const pages: CreateElicitationRequest[] = []
  const ask$ = (_: string, params: unknown): Observable<never> => {
    pages.push(params as CreateElicitationRequest)
    const answer$: Observable<unknown> = of({ action })
    return answer$ as Observable<never>
  }
  const { client, sent } = server(states, usable)
  const options: SignInOptions = { client, env: {}, peer: { ask: ask$ }, requestId: 7 }
  return { pages, sent, done: () => firstValueFrom(signIn(method, options), { defaultValue: undefined }) }
}

const page: Partial<Login> = { step: 'open_url', url: 'https://acme.example/login' }

describe('the methods', () => {
  it.each([
    [{ pages: false, terminal: false }, ['check']],
    [{ pages: true, terminal: false }, ['login:acme', 'check']],
    [{ pages: true, terminal: true }, ['login:acme', 'terminal:acme', 'check']],
  ])('are those that an editor with %j can show [ACP-auth]', async (features, ids) => {
    const methods = await firstValueFrom(signInMethods(server([]).client, features), { defaultValue: [] })
    expect(methods.map(({ id }) => id)).toEqual(ids)
    if (features.terminal) expect(methods[1]).toMatchObject({ type: 'terminal', args: ['login', 'acme'] })
  })
})

describe('a sign-in', () => {
  it('shows the page of the vendor once, and ends with the account [ACP-auth, ACP-method-authenticate]', async () => {
    const { pages, sent, done } = signInWith([{}, page, { ...page, step: 'finishing' }, { step: 'done' }], 'accept')
    expect(await done()).toEqual({})
    expect(pages).toEqual([
      {
        ...{ mode: 'url', requestId: 7, elicitationId: 'aaaaaaaa-open_url', url: 'https://acme.example/login' },
        message: 'Sign in to Acme on its page.',
      },
    ])
    expect(sent).not.toContain('auth_login_cancel')
  })

  it.each<[string, Partial<Login>[], string, number, RegExp]>([
    ['that the person declines', [page], 'decline', -32_800, /was cancelled/],
    [
      'that the vendor refuses',
      [page, { step: 'failed', failure: { code: 'provider_error', message: 'No plan' } }],
      'accept',
      -32_000,
      /No plan/,
    ],
    ['that ends elsewhere', [{ step: 'cancelled' }], 'accept', -32_000, /was cancelled/],
  ])('%s is an error [ACP-auth]', async (_, states, action, code, message) => {
    const { sent, done } = signInWith(states, action)
    const error = await done().catch((thrown: unknown) => requestErrorOf(thrown))
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect(sent.includes('auth_login_cancel')).toBe(action === 'decline')
  })

  it('shows the code of a device', async () => {
    const { pages, done } = signInWith(
      [{ ...page, step: 'device_code', userCode: 'AB-12' }, { step: 'done' }],
      'accept',
    )
    await done()
    expect(pages[0]?.message).toBe('Sign in to Acme on its page. Enter the code AB-12 there.')
  })

  it('elsewhere counts as soon as a model can be used [ACP-auth]', async () => {
    expect(await signInWith([], 'accept', 'check', 3).done()).toEqual({})
    await expect(signInWith([], 'accept', 'check').done()).rejects.toMatchObject({ code: 'no_model' })
    expect(() => signInWith([], 'accept', 'terminal:acme').done()).toThrow(/no sign-in/)
  })
})
