// Signs in with a code that a person types at the vendor's page: standard form, and OpenAI's own.
import * as oauth from 'oauth4webapi'
import { Failure } from '../../streams/values/failure.ts'
import { exchangeCode } from './oauth-client.ts'
import { exchangeWith, isText, partiesOf } from './oauth-exchange.ts'
import type { TokenResponse } from './oauth-exchange.ts'
import { errorCode, sendToVendor, vendorFailure } from './vendor-fetch.ts'
import type { VendorAccess, VendorResponse } from './vendor-fetch.ts'

/** OpenAI's form of the code lives so long. */
const codexPatienceS = 900
const usualIntervalS = 5
const usualLifetimeS = 900

/** A code that a person types at the vendor's page. */
export interface DeviceGrant {
  readonly userCode: string
  /** Opened in a browser; http(s) only. */
  readonly url: string
  /** Identifies this sign-in to the vendor; never shown. */
  readonly deviceCode: string
  readonly expiresInS: number
  readonly intervalS: number
}

/** The outcome of one poll. */
export type DevicePoll =
  | { readonly status: 'pending' }
  | { readonly status: 'slow_down'; readonly intervalS?: number }
  | { readonly status: 'granted'; readonly tokens: TokenResponse }

export async function startDevice(access: VendorAccess, signal: AbortSignal): Promise<DeviceGrant> {
  const { vendor } = access
  const { codex, startUrl = '', parameters } = vendor.device ?? {}
  const scope = vendor.scope === undefined ? {} : { scope: vendor.scope }
  const response = await sendToVendor(access, {
    ...{ url: startUrl, signal },
    ...(codex === undefined
      ? { form: { client_id: vendor.clientId, ...scope, ...parameters } }
      : { json: { client_id: vendor.clientId } }),
  })
  const { body = {} } = response
  const deviceCode = body[codex === undefined ? 'device_code' : 'device_auth_id']
  const userCode = body['user_code']
  const url = codex?.pageUrl ?? webAddress(body['verification_uri_complete']) ?? webAddress(body['verification_uri'])
  if (response.status !== 200 || !isText(deviceCode) || !isText(userCode) || url === undefined)
    throw vendorFailure(access, 'begin a sign-in with a code', response)
  const expiresInS = codex === undefined ? (positive(body['expires_in']) ?? usualLifetimeS) : codexPatienceS
  return { userCode, url, deviceCode, expiresInS, intervalS: positive(body['interval']) ?? usualIntervalS }
}

/** Asks once whether the person has agreed. @throws Failure kind `auth` if the person refused or the code expired */
export async function pollDevice(access: VendorAccess, grant: DeviceGrant, signal: AbortSignal): Promise<DevicePoll> {
  if (access.vendor.device?.codex !== undefined) return pollCodex(access, grant, signal)
  const { as, client } = partiesOf(access)
  let latest: VendorResponse | undefined
  try {
    const work = async (options: object): Promise<TokenResponse> => {
      const parties = [as, client, oauth.None()] as const
      const response = await oauth.deviceCodeGrantRequest(...parties, grant.deviceCode, { ...options, signal })
      return oauth.processDeviceCodeResponse(as, client, response)
    }
    const tokens = await exchangeWith(access, 'sign you in', work, (response) => {
      latest = response
    })
    return { status: 'granted', tokens }
  } catch (error) {
    const outcome = pendingOutcome(latest)
    if (outcome === undefined) throw devicePollFailure(access, latest, error)
    return outcome
  }
}

function pendingOutcome(response: VendorResponse | undefined): DevicePoll | undefined {
  const code = errorCode(response?.body)
  if (code === 'authorization_pending' || code === 'deviceauth_authorization_pending') return { status: 'pending' }
  if (code !== 'slow_down') return undefined
  const intervalS = positive(response?.body?.['interval'])
  return { status: 'slow_down', ...(intervalS === undefined ? {} : { intervalS }) }
}

function devicePollFailure({ vendor }: VendorAccess, response: VendorResponse | undefined, error: unknown): Failure {
  const code = errorCode(response?.body)
  const reason = code === undefined ? undefined : deviceRefusals[code]
  if (reason === undefined) return Failure.from(error, 'provider_error')
  return new Failure('provider_error', `${vendor.title}: ${reason}.`, { data: { kind: 'auth', providerCode: code } })
}

const deviceRefusals: Readonly<Record<string, string>> = {
  access_denied: 'the sign-in was refused at the page',
  authorization_denied: 'the sign-in was refused at the page',
  expired_token: 'the code has expired; start again',
}

async function pollCodex(access: VendorAccess, grant: DeviceGrant, signal: AbortSignal): Promise<DevicePoll> {
  const { pollUrl = '', redirectUrl = '' } = access.vendor.device?.codex ?? {}
  const json = { device_auth_id: grant.deviceCode, user_code: grant.userCode }
  const response = await sendToVendor(access, { url: pollUrl, json, signal })
  const { authorization_code: code, code_verifier: verifier } = response.body ?? {}
  if (response.status === 200 && isText(code) && isText(verifier)) {
    const callback = new URLSearchParams({ code })
    const tokens = await exchangeCode(access, callback, { verifier, redirectUri: redirectUrl }, signal)
    return { status: 'granted', tokens }
  }
  const outcome = pendingOutcome(response)
  if (outcome !== undefined) return outcome
  // this endpoint answers so until the person has agreed
  if (response.status === 403 || response.status === 404) return { status: 'pending' }
  throw vendorFailure(access, 'sign you in', response)
}

/** A number of seconds, also as text. */
function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

/** An address that a browser may open. */
function webAddress(value: unknown): string | undefined {
  const url = isText(value) ? URL.parse(value) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
