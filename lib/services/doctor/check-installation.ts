// Runs the checks of the doctor: the installation, accounts, extensions and MCP servers.
import { catchError, defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ExtensionRow } from '../../streams/commands/extension-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Fields, ServerBackend } from '../contract/server-backend.ts'

type Check = ResultOf<'doctor'>['checks'][number]
type Parts = Pick<ServerBackend, 'accounts' | 'config' | 'extensions' | 'mcp'>

/** Problems of extensions that are named; the others are counted. */
const mostProblems = 20

/** Emits once; fails only if the backend refuses the command. No extension and no MCP server is started. */
export function checkInstallation(command: Fields<'doctor'>, parts: Parts): Observable<readonly Check[]> {
  const { cwd, env } = command
  return forkJoin([
    parts.config.doctor(command),
    accountsCheck(defer(() => parts.accounts.accounts())),
    extensionsCheck(defer(() => parts.extensions.list({ cwd, ...(env === undefined ? {} : { env }) }))),
    parts.mcp.check(command),
  ]).pipe(map(([{ checks }, accounts, extensions, servers]) => [...checks, ...accounts, ...extensions, ...servers]))
}

/** One check a plan that a person has signed in to. */
function accountsCheck(accounts$: Observable<ResultOf<'auth_accounts'>>): Observable<readonly Check[]> {
  return accounts$.pipe(
    map(({ vendors }) => {
      const checks = vendors.flatMap(({ provider, title, account }) => {
        if (account === undefined) return []
        if (account.isSignedOut === true)
          return [note('accounts', false, `${title} refuses the account; run rxpi auth login ${provider}`)]
        const { name, plan } = account
        const who = [name, plan].filter((text) => text !== undefined).join(', ')
        return [note('accounts', true, `signed in to ${title}${who === '' ? '' : ` (${who})`}`)]
      })
      return checks.length > 0 ? checks : [note('accounts', true, 'none; rxpi auth login signs in to a plan')]
    }),
    catchError((error: unknown) => of([note('accounts', false, Failure.from(error).message)])), // such as a damaged file
  )
}

/** One check for all, and one for each problem. */
function extensionsCheck(list$: Observable<ResultOf<'extension_list'>>): Observable<readonly Check[]> {
  return list$.pipe(
    map(({ extensions, problems }) => {
      const left = problems.length - mostProblems
      return [
        overview(extensions),
        ...problems.slice(0, mostProblems).map(({ path, message }) => note('extensions', false, `${path}: ${message}`)),
        ...(left > 0 ? [note('extensions', false, `and ${left} more problems; rxpi extensions list names all`)] : []),
      ]
    }),
    catchError((error: unknown) => of([note('extensions', false, Failure.from(error).message)])), // such as a damaged file
  )
}

function overview(extensions: readonly ExtensionRow[]): Check {
  const namesOf = (isMeant: (row: ExtensionRow) => boolean): string =>
    extensions
      .filter(isMeant)
      .map(({ name }) => name)
      .join(', ')
  const running = namesOf(isTrusted)
  const waiting = namesOf(({ state }) => state === 'pending')
  const killed = namesOf(({ state }) => state === 'killed')
  const parts = [
    ...(running === '' ? [] : [`used: ${running}`]),
    ...(waiting === '' ? [] : [`waiting for your decision: ${waiting} (rxpi extensions trust NAME)`]),
    ...(killed === '' ? [] : [`killed: ${killed} (rxpi extensions list)`]),
  ]
  return note('extensions', waiting === '', parts.length === 0 ? 'none here' : parts.join('; '))
}

function isTrusted({ state }: ExtensionRow): boolean {
  return state === 'trusted' || state === 'acknowledged'
}

function note(name: string, ok: boolean, message: string): Check {
  return { name, ok, required: false, message }
}
