// Calls the hooks `before_request` and `after_response` of extensions around the requests to models.
// Guarantees: an extension gets no credential, and cannot set one.
import { lastValueFrom, map, reduce, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ModelRequestAnswer, ModelRequestInput } from '../../extensions/api/extension-hooks.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { callHooks, notifyHooks } from './run-extension-hooks.ts'

type Fetch = typeof globalThis.fetch

/** Names of request headers with a credential: those of the vendors, and what gateways call theirs. */
const credentialName = /auth|api-?key|token|secret|cookie|password/i

/** @param extensions looked up for each request; undefined before they are set up, and without any */
export function extensionFetch(fetch: Fetch, extensions: () => ExtensionSet | undefined): Fetch {
  return async (input, init) => {
    const set = extensions()
    if (set === undefined || !hasHooks(set) || input instanceof Request) return fetch(input, init)
    const url = String(input)
    const changed = await lastValueFrom(changeRequest(set, url, init), { defaultValue: init })
    const response = await fetch(input, changed)
    const { status, headers } = response
    const visible = [...headers].filter(([name]) => name !== 'set-cookie')
    const answer = { url: plainUrl(url), status, headers: Object.fromEntries(visible) }
    notifyHooks(set, 'after_response', answer).subscribe() // nothing waits for it; each hook has its time limit
    return response
  }
}

function hasHooks({ contributions: { hooks } }: ExtensionSet): boolean {
  return hooks.before_request.entries.length + hooks.after_response.entries.length > 0
}

/** Emits the request as the hooks change it; an abort of the request ends the wait. */
function changeRequest(set: ExtensionSet, url: string, init: RequestInit = {}): Observable<RequestInit> {
  const headers = new Headers(init.headers)
  const visible = [...headers].filter(([name]) => !credentialName.test(name))
  const input = { url: plainUrl(url), headers: Object.fromEntries(visible), payload: payloadOf(init.body) }
  return callHooks(set, 'before_request', input).pipe(
    reduce((all: ModelRequestAnswer, each) => ({ ...all, ...each, headers: { ...all.headers, ...each.headers } }), {}),
    map((answer) => applied(init, headers, answer)),
    takeUntil(fromSignal(init.signal ?? undefined)),
  )
}

function applied(init: RequestInit, headers: Headers, { headers: own = {}, payload }: ModelRequestAnswer): RequestInit {
  for (const [name, value] of Object.entries(own)) {
    if (credentialName.test(name)) continue
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return { ...init, headers, ...(payload === undefined ? {} : { body: JSON.stringify(payload) }) }
}

/** Some APIs take a key in the query. */
function plainUrl(url: string): ModelRequestInput['url'] {
  return url.replace(/\?.*$/, '')
}

function payloadOf(body: RequestInit['body']): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined // no JSON: the hooks see the headers alone
  }
}
