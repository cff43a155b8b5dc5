// Buys a Copilot token with a GitHub token, and reads which models the account may use.
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { AccountGrant } from './account-vendor.ts'
import { sendToVendor, vendorFailure } from './vendor-fetch.ts'
import type { VendorAccess, VendorResponse } from './vendor-fetch.ts'

const tokenUrl = 'https://api.{domain}/copilot_internal/v2/token'
const apiVersion = '2026-06-01'
const maxModels = 1_000

/** @throws Failure kind `auth` if the account has no Copilot */
export async function copilotGrant(
  access: VendorAccess,
  gitHubToken: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<AccountGrant> {
  const headers = { authorization: `Bearer ${gitHubToken}` }
  const response = await sendToVendor(access, { url: tokenUrl, method: 'GET', headers, signal })
  const { token, expires_at: expiresAtS, sku } = response.body ?? {}
  if (response.status !== 200 || typeof token !== 'string' || token === '' || typeof expiresAtS !== 'number')
    throw vendorFailure(access, 'give a token of Copilot for this account', response)
  const baseUrl = apiAddress(access, token)
  const models = await readModels(access, { baseUrl, token, signal })
  return {
    tokens: { access: token, refresh: gitHubToken },
    facts: {
      expiresAt: localTime(expiresAtS * 1_000, response),
      baseUrl,
      ...(access.domain === undefined ? {} : { domain: access.domain }),
      ...(typeof sku === 'string' && sku !== '' ? { plan: sku.slice(0, 200) } : {}),
      ...(models === undefined ? {} : { models }),
    },
    origin: new URL(baseUrl).origin,
  }
}

/** A time of the vendor's clock on the clock of this machine, which may differ. */
function localTime(time: number, { headers }: VendorResponse): number {
  const vendorNow = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(vendorNow) ? time : Date.now() + (time - vendorNow)
}

/** The token names its API's host; only a host of GitHub or of the company's installation gets it. */
function apiAddress({ vendor, domain }: VendorAccess, token: string): string {
  const proxy = /(?:^|;)proxy-ep=([^;]+)/.exec(token)?.[1]
  if (proxy === undefined) return domain === undefined ? vendor.origin : `https://copilot-api.${domain}`
  const address = URL.parse(`https://${proxy.replace(/^proxy\./, 'api.')}`)
  const owners = ['githubcopilot.com', ...(domain === undefined ? [] : [domain])]
  const isOwn = address !== null && owners.some((owner) => address.hostname.endsWith(`.${owner}`))
  if (isOwn && address.pathname === '/' && address.username === '') return address.origin
  const message = 'The token of Copilot names an address that does not belong to GitHub; it was not stored.'
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}

interface ModelsRequest {
  readonly baseUrl: string
  readonly token: string
  readonly signal: AbortSignal
}

/** The models that the account's picker shows; without a list every known model is offered. */
async function readModels(
  access: VendorAccess,
  { baseUrl, token, signal }: ModelsRequest,
): Promise<string[] | undefined> {
  try {
    const { status, body } = await sendToVendor(access, {
      url: `${baseUrl}/models`,
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, 'x-github-api-version': apiVersion },
      signal,
    })
    const data = body?.['data']
    if (status !== 200 || !Array.isArray(data)) return undefined
    return usableModels(data.filter(isRecord), baseUrl === access.vendor.origin).slice(0, maxModels)
  } catch (error) {
    if (signal.aborted) throw error
    return undefined // the sign-in counts without the list
  }
}

/** Some individual accounts have no model in the picker although their policies allow models. */
function usableModels(models: readonly Record<string, unknown>[], isIndividual: boolean): string[] {
  const able = models.filter(({ capabilities }) => {
    const supports = isRecord(capabilities) ? capabilities['supports'] : undefined
    return !isRecord(supports) || supports['tool_calls'] !== false
  })
  const inPicker = able.filter((model) => model['model_picker_enabled'] === true && policyOf(model) !== 'disabled')
  const chosen = inPicker.length > 0 || !isIndividual ? inPicker : able.filter((model) => policyOf(model) === 'enabled')
  return chosen.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []))
}

function policyOf({ policy }: Record<string, unknown>): unknown {
  return isRecord(policy) ? policy['state'] : undefined
}
