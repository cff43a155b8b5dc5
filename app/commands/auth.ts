// Runs `rxpi auth`: stores, lists, removes and verifies keys; prints no key.
import { defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { serverKeys } from '../connect/server-keys.ts'
import type { ListedKeys } from '../connect/server-keys.ts'
import { badRequest } from '../cli/command-options.ts'
import { currentFolder } from '../process/current-folder.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import type { AuthInvocation, AuthSetInvocation } from '../cli/auth-arguments.ts'
import { report } from '../process/progress.ts'
import { readSecret } from '../process/read-secret.ts'
import { readStandardInput } from '../cli/input/read-standard-input.ts'
import type { World } from '../process/world.ts'
import { accountAction, describeAccount } from './auth-login.ts'
import type { AccountActionOptions } from './auth-login.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

type Key = ListedKeys[number]['keys'][number]

/** Emits the exit code. */
export function auth(invocation: AuthInvocation, world: World): Observable<number> {
  return defer(() => runAction(invocation, world)).pipe(endAtSignal(world.signals$))
}

function runAction(invocation: AuthInvocation, world: World): Observable<number> {
  const { client, env, stdout } = world
  const context = { cwd: currentFolder(), env: { ...env } }
  const print = (result: object, text: string): void => {
    if (invocation.json) stdout.json(JSON.stringify(result))
    else stdout.text(text)
  }
  switch (invocation.action) {
    case 'set':
      // rejects an unknown provider before the user types a key
      return client.request({ type: 'auth_list', ...context, provider: invocation.provider }).pipe(
        mergeMap(() => readKey(invocation, world)),
        mergeMap((key) => client.request({ type: 'auth_set', ...context, ...keyOptions(invocation), key })),
        map((result) => {
          for (const { message } of result.notices) report(world.stderr, message)
          print(result, storedText(invocation.provider, result))
          return 0
        }),
      )
    case 'list':
      return client.request({ type: 'auth_list', ...context, ...providerOf(invocation) }).pipe(
        mergeMap(({ providers }) =>
          serverKeys(context, invocation.provider).pipe(map((server) => joinKeys(providers, server))),
        ),
        map((providers) => {
          print({ providers }, listText(providers))
          return 0
        }),
      )
    case 'rm': {
      const { provider, id } = invocation
      return client
        .request({ type: 'auth_remove', ...context, provider, ...(id === undefined ? {} : { keyId: id }) })
        .pipe(
          map((result) => {
            print(result, `Removed ${countOf(result.removed, 'stored key')} of ${provider}\n`)
            return 0
          }),
        )
    }
    case 'login':
    case 'logout':
      return accountAction(invocation, world, { context, print })
    case 'verify':
      return verifyAction(invocation.provider, client, { context, print })
  }
}

function verifyAction(
  provider: string,
  client: World['client'],
  { context, print }: AccountActionOptions,
): Observable<number> {
  return client.request({ type: 'auth_verify', ...context, provider }).pipe(
    map((result) => {
      print(result, `${result.outcome}: ${result.message}\n`)
      return exitCodes[result.outcome]
    }),
  )
}

const exitCodes = { valid: 0, unknown: 1, refused: 3, unreachable: 3 } as const

function keyOptions({ provider, add }: AuthSetInvocation): Pick<AuthSetInvocation, 'provider' | 'add'> {
  return { provider, add }
}

function providerOf({ provider }: { readonly provider?: string }): { readonly provider?: string } {
  return provider === undefined ? {} : { provider }
}

/** The keys of the running server after those of this command. */
function joinKeys(own: ListedKeys, server: ListedKeys): ListedKeys {
  const names = new Set([...own, ...server].map(({ provider }) => provider))
  const keysOf = (list: ListedKeys, name: string): readonly Key[] =>
    list.find(({ provider }) => provider === name)?.keys ?? []
  return Array.from(names, (provider) => ({ provider, keys: [...keysOf(own, provider), ...keysOf(server, provider)] }))
}

/** Reads the key from the terminal, else from piped input. */
function readKey({ provider }: AuthSetInvocation, { stdin, stderr }: World): Observable<string> {
  const { terminal } = stdin
  const question = `Key for ${provider} (input is hidden): `
  const typed$ =
    terminal === undefined ? readPipedKey(provider, { stdin, stderr }) : readSecret(question, terminal, stderr)
  return typed$.pipe(
    map((text) => text.trim()),
    mergeMap((key) => (key === '' ? throwError(() => badRequest('the key is empty; nothing was stored')) : of(key))),
  )
}

function readPipedKey(provider: string, world: Pick<World, 'stdin' | 'stderr'>): Observable<string> {
  const { isEmpty } = world.stdin
  if (!isEmpty) return readStandardInput(world, { optional: false })
  return throwError(() => badRequest(`no terminal to read the key from: pipe it into rxpi auth set ${provider}`))
}

function storedText(provider: string, { kept: storage, keyId, origin, defaultModel }: ResultOf<'auth_set'>): string {
  const where = storage === 'file' ? 'in a file that only you can read' : "in this machine's keychain"
  const next = defaultModel === undefined ? '' : `To use it: rxpi --model ${defaultModel} -p "…"\n`
  return `Stored the key ${keyId} of ${provider} ${where}, for ${origin}\nTo check it: rxpi auth verify ${provider}\n${next}`
}

function listText(providers: ListedKeys): string {
  if (providers.length === 0)
    return 'There are no keys: set the environment variable of a provider, use rxpi auth set <provider>, or sign in with rxpi auth login <provider>\n'
  const rows = providers.flatMap(({ provider, keys }) =>
    keys.map((key, index) => [index === 0 ? provider : '', describeSource(key), describeUse(key)] as const),
  )
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(([provider, from, use]) => `${provider.padEnd(widths[0] ?? 0)}  ${from.padEnd(widths[1] ?? 0)}  ${use}\n`)
    .join('')
}

function describeUse({ used, ofServer, unusedBecause }: Key): string {
  if (used) return ofServer === true ? 'used in sessions of the running server' : 'used'
  return unusedBecause === undefined ? 'not used' : `not used: ${unusedBecause}`
}

function describeSource({ from, kind, name, ofServer, keyId, origin, tail, account }: Key): string {
  if (account !== undefined) return describeAccount(account)
  const what = kind === 'variable' ? `$${name ?? ''}` : kind === 'command' ? 'a command' : undefined
  const source = { environment: 'environment', file: 'file', keychain: 'keychain', models: 'models.json' }[from]
  const whose = ofServer === true ? 'of the server' : undefined
  return [source, whose, keyId, what, tail, origin === undefined ? undefined : `for ${origin}`]
    .filter((part) => part !== undefined)
    .join(' ')
}
