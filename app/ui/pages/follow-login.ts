// Follows, answers and cancels a sign-in of the server, and uses its account.
import { map, mergeMap, retry, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { isLoginOver, loginStates, loginWaitMs } from '../../connect/login-states.ts'
import type { Login } from '../../connect/login-states.ts'
import { notify } from '../commands/ask-server.ts'
import { connectedAgain } from '../commands/poll-server.ts'
import { launchContext } from '../contract/ui.ts'
import type { Ui } from '../contract/ui.ts'
import { adoptModel } from './adopt-model.ts'
import { clipboardCondition, clipboardRefusal, clipboardSequence } from '../terminal/clipboard.ts'

/** A sign-in to a vendor of models, or to an MCP server as a session in `cwd` has it. */
export type WantedLogin =
  | {
      readonly provider: string
      readonly method: Login['method']
      /** Host of a company's own installation. */
      readonly domain?: string | undefined
    }
  | { readonly server: string; readonly cwd: string }

/** Emits the states of the sign-in. After a lost connection it goes on with the same sign-in. */
export function followLogin$(ui: Ui, wanted: WantedLogin): Observable<Login> {
  return beginLogin$(ui, wanted).pipe(
    map(({ login }) => login),
    survivesLostConnection(ui),
    mergeMap((first) =>
      loginStates(first, ({ loginId, revision }) =>
        ui.request({ type: 'auth_login_wait', loginId, revision }, { timeoutMs: loginWaitMs }).pipe(
          map(({ login }) => login),
          survivesLostConnection(ui),
        ),
      ),
    ),
  )
}

function beginLogin$(ui: Ui, wanted: WantedLogin): Observable<{ readonly login: Login }> {
  if ('server' in wanted) {
    const { server, cwd } = wanted
    return ui.request({ type: 'mcp_login', ...launchContext(ui), cwd, server })
  }
  const { provider, method, domain } = wanted
  const host = domain === undefined ? {} : { domain }
  return ui.request({ type: 'auth_login', ...launchContext(ui), provider, method, ...host })
}

/**
 * Cancels a sign-in that is not over; it ended with a server that was stopped. Ignores the response: the page that would show it
 * is closed.
 */
export function cancelLogin(ui: Ui, login: Login | undefined): void {
  if (login === undefined || isLoginOver(login) || ui.now().connection === 'stopped') return
  ui.request({ type: 'auth_login_cancel', loginId: login.loginId }).subscribe({ error: () => undefined })
}

/** Sends what a person pasted; fails if it is no answer to this sign-in. */
export function sendAnswer$(ui: Ui, { loginId }: Login, text: string): Observable<unknown> {
  return ui.request({ type: 'auth_login_input', loginId, text })
}

/** Copies the address of the sign-in through the terminal, or shows why it cannot. */
export function copyAddress(ui: Ui, url: string | undefined): void {
  if (url === undefined) return
  const { env } = ui.surroundings
  const sequence = clipboardRefusal(env) === undefined ? clipboardSequence(url) : undefined
  if (sequence === undefined) {
    notify(ui, clipboardRefusal(env) ?? 'The address is too long for the clipboard of a terminal', 'warning')
    return
  }
  ui.toTerminal(sequence)
  notify(ui, `Copied the address, ${clipboardCondition(env)}`, 'success')
}

/** The connection comes back by itself; another failure ends the page's view of the sign-in. */
function survivesLostConnection(ui: Ui): MonoTypeOperatorFunction<Login> {
  return retry({
    delay: (error: unknown) =>
      Failure.from(error).code === 'disconnected' ? connectedAgain(ui) : throwError(() => Failure.from(error)),
  })
}

/** Reports a sign-in and what it is for; a session without a model of its own uses the account at once. */
export function applyLogin(ui: Ui, wanted: WantedLogin, login: Login): void {
  const then =
    'server' in wanted
      ? 'sessions with this server connect to it anew'
      : (adoptModel(ui, login) ?? `/model ${login.provider} lists its models`)
  const { title, account, notices = [] } = login
  const facts = [account?.name, account?.plan].filter((part) => part !== undefined && !title.includes(part))
  const who = facts.join(', ')
  notify(ui, `Signed in to ${title}${who === '' ? '' : ` (${who})`}; ${then}`, 'success')
  for (const { message } of notices) notify(ui, message, 'warning')
}
