// Runs the token requests of the OAuth library over the fetch of a sign-in.
// Guarantees: its errors, which hold bodies, become failures that repeat no token.
import * as oauth from 'oauth4webapi'
import { Failure } from '../../streams/values/failure.ts'
import { errorCode, sendToVendor, vendorFailure, vendorUrl } from './vendor-fetch.ts'
import type { VendorAccess, VendorResponse } from './vendor-fetch.ts'

/** The body of a token response. */
export type TokenResponse = oauth.TokenEndpointResponse

/** Seconds that the clocks of this machine and the vendor may differ. */
const clockToleranceS = 900

type LibraryOptions = Parameters<typeof oauth.refreshTokenGrantRequest>[4] & object

/** Runs a token request of the library, and turns its errors, which hold bodies, into failures. */
export async function exchangeWith(
  access: VendorAccess,
  doing: string,
  work: (options: LibraryOptions) => Promise<TokenResponse>,
  onResponse?: (response: VendorResponse) => void,
): Promise<TokenResponse> {
  let latest: VendorResponse | undefined
  const note = (response: VendorResponse): void => {
    latest = response
    onResponse?.(response)
  }
  try {
    return await work({ [oauth.customFetch]: libraryFetch(access, note) })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw libraryFailure(access, doing, { error, latest })
  }
}

function libraryFailure(
  access: VendorAccess,
  doing: string,
  { error, latest }: { readonly error: unknown; readonly latest: VendorResponse | undefined },
): Failure {
  const { title } = access.vendor
  const auth = { data: { kind: 'auth' } } as const
  if (error instanceof oauth.AuthorizationResponseError) {
    const code = errorCode({ error: error.error })
    return new Failure('provider_error', `${title} refused the sign-in${code === undefined ? '' : ` (${code})`}.`, auth)
  }
  if (latest !== undefined && (latest.status !== 200 || latest.body === undefined)) {
    return vendorFailure(access, doing, latest)
  }
  const message = `The answer of ${title} is not one to this sign-in: state, issuer or tokens are not the expected ones. Nothing was stored.`
  return new Failure('provider_error', message, auth)
}

/** A `fetch` for the library over `sendToVendor`; it repairs what vendors leave out of the standard. */
function libraryFetch(
  access: VendorAccess,
  note: (response: VendorResponse) => void,
): (url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>) => Promise<Response> {
  return async (url, { body, signal }) => {
    const fields = Object.fromEntries(body)
    const response = await sendToVendor(access, {
      ...(access.vendor.tokenBody === 'json' ? { json: fields } : { form: fields }),
      ...{ url, signal: signal ?? new AbortController().signal },
    })
    note(response)
    return standardResponse(access, response)
  }
}

function standardResponse({ vendor }: VendorAccess, { status, body }: VendorResponse): Response {
  if (body === undefined) return new Response('', { status, headers: { 'content-type': 'text/plain' } })
  const { id_token: idToken, ...rest } = body
  const isError = status === 200 && isText(body['error']) // GitHub answers an error with 200
  const fields = {
    ...(isText(rest['access_token']) ? { token_type: 'bearer' } : {}),
    ...rest,
    // without a known issuer an id token proves nothing
    ...(vendor.issuer === undefined || idToken === undefined ? {} : { id_token: idToken }),
  }
  return new Response(JSON.stringify(fields), {
    status: isError ? 400 : status,
    headers: { 'content-type': 'application/json' },
  })
}

export function partiesOf(access: VendorAccess): {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
} {
  const { vendor } = access
  const tokenUrl = vendorUrl(access, vendor.tokenUrl)
  return {
    as: { issuer: vendor.issuer ?? new URL(tokenUrl).origin, token_endpoint: tokenUrl },
    client: { client_id: vendor.clientId, [oauth.clockTolerance]: clockToleranceS },
  }
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
