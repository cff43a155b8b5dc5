// Signs in to a plan with a browser, by the rules of its vendor.
import { browserSignIn } from '../../host/http/browser-sign-in.ts'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'
import { grantAccount, openRouterGrant } from '../../providers/accounts/grant-account.ts'
import { beginBrowserGrant, exchangeCode, newState } from '../../providers/accounts/oauth-client.ts'
import type { BrowserGrant } from '../../providers/accounts/oauth-client.ts'
import type { VendorAccess } from '../../providers/accounts/vendor-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { LoginFlow } from './login-flow.ts'

/** @param port replaces the port that the vendor knows */
export function browserLogin(access: VendorAccess, port?: number): LoginFlow {
  const { title, browser } = access.vendor
  const { redirect, form } = browser ?? { redirect: { host: 'localhost', path: '/' } }
  const state = newState()
  const path = form === 'openrouter' ? `${redirect.path}/${state}` : redirect.path
  return browserSignIn({
    state,
    port: port ?? redirect.port ?? 0,
    path,
    ...(form === 'openrouter' && { isOwn: () => true }), // its answer has the state in the path
    begin: (listening) =>
      beginBrowserGrant(access, { redirectUri: `http://${redirect.host}:${listening}${path}`, state }),
    exchange: (grant, parameters, signal) => buyAccount(access, { grant, parameters, signal }),
    success: `rxpi has your account of ${title}.`,
    toFailure: (error) => Failure.from(error, 'provider_error'),
  })
}

interface Purchase {
  readonly grant: BrowserGrant
  readonly parameters: URLSearchParams
  readonly signal: AbortSignal
}

async function buyAccount(access: VendorAccess, { grant, parameters, signal }: Purchase): Promise<AccountGrant> {
  if (access.vendor.browser?.form !== 'openrouter') {
    return grantAccount(access, await exchangeCode(access, parameters, grant, signal), signal)
  }
  const code = parameters.get('code')
  if (code !== null) return openRouterGrant(access, { code, verifier: grant.verifier }, signal)
  throw new Failure('provider_error', `${access.vendor.title} refused the sign-in.`, { data: { kind: 'auth' } })
}
