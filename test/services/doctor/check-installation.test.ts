// Tests what the doctor reports about accounts and extensions.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { checkInstallation } from '../../../lib/services/doctor/check-installation.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ExtensionRow } from '../../../lib/streams/commands/extension-commands.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { resultOf } from '../../support/result-of.ts'

type Vendors = ResultOf<'auth_accounts'>['vendors']

const broken$ = throwError(() => new Failure('bad_config', 'The file is damaged.'))
const vendor = { provider: 'acme', title: 'Acme Pro', methods: [] }
const extension = (name: string, state: ExtensionRow['state']): ExtensionRow => ({
  ...{ id: name, name, origin: 'user', root: `/${name}`, entry: `/${name}/index.ts`, digest: '0' },
  state,
})

/** Lines of one check, such as `ok` or `note`, and the message. */
async function linesOf(
  name: string,
  {
    vendors$ = of({ vendors: [] }),
    list$ = of({ extensions: [], problems: [] }),
  }: {
    vendors$?: ReturnType<ReturnType<typeof fakeBackend>['accounts']['accounts']>
    list$?: ReturnType<ReturnType<typeof fakeBackend>['extensions']['list']>
  },
): Promise<string[]> {
  const backend = fakeBackend()
  const checks = await resultOf(
    checkInstallation(
      { cwd: '/' },
      {
        ...backend,
        accounts: { ...backend.accounts, accounts: () => vendors$ },
        extensions: { ...backend.extensions, list: () => list$ },
      },
    ),
  )
  return checks
    .filter((check) => check.name === name)
    .map(({ ok, required, message }) => `${ok ? 'ok' : required ? 'FAIL' : 'note'} ${message}`)
}

describe('accounts', () => {
  it.each<[string, Vendors, readonly string[]]>([
    ['none', [vendor], ['ok none; rxpi auth login signs in to a plan']],
    [
      'one with a name and a plan',
      [{ ...vendor, account: { accountId: 'abcdefghijkl', name: 'ada@example.org', plan: 'max' } }],
      ['ok signed in to Acme Pro (ada@example.org, max)'],
    ],
    [
      'one that the vendor refuses',
      [{ ...vendor, account: { accountId: 'abcdefghijkl', isSignedOut: true } }],
      ['note Acme Pro refuses the account; run rxpi auth login acme'],
    ],
  ])('are reported: %s', async (_, vendors, lines) => {
    expect(await linesOf('accounts', { vendors$: of({ vendors }) })).toEqual(lines)
  })

  it('are reported if their file is damaged', async () => {
    expect(await linesOf('accounts', { vendors$: broken$ })).toEqual(['note The file is damaged.'])
  })
})

describe('extensions', () => {
  it.each<[string, readonly ExtensionRow[], string]>([
    ['none', [], 'ok none here'],
    ['trusted ones', [extension('a', 'trusted'), extension('b', 'acknowledged')], 'ok used: a, b'],
    [
      'one that waits',
      [extension('a', 'trusted'), extension('b', 'pending')],
      'note used: a; waiting for your decision: b (rxpi extensions trust NAME)',
    ],
    ['a killed one', [extension('a', 'killed')], 'ok killed: a (rxpi extensions list)'],
  ])('are reported: %s', async (_, extensions, line) => {
    const list$ = of({ extensions: [...extensions], problems: [] })
    expect(await linesOf('extensions', { list$ })).toEqual([line])
  })

  it('have a line for each problem, up to twenty', async () => {
    const problems = Array.from({ length: 23 }, (_, index) => ({ path: `/e${index}`, message: 'no entry' }))
    const lines = await linesOf('extensions', { list$: of({ extensions: [], problems }) })
    expect(lines).toHaveLength(22)
    expect([lines[1], lines.at(-1)]).toEqual([
      'note /e0: no entry',
      'note and 3 more problems; rxpi extensions list names all',
    ])
  })

  it('are reported if their file is damaged', async () => {
    expect(await linesOf('extensions', { list$: broken$ })).toEqual(['note The file is damaged.'])
  })
})
