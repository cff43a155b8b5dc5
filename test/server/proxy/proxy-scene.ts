// Provides a provider that answers `Hello`, and the request headers with the token.
import { Observable } from 'rxjs'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { token } from './start-proxy.ts'

export function helloProvider(request: ProviderRequest): Observable<AssistantDelta> {
  return scripted(['Hello'])(request)
}

export const none = { defaultValue: [] }

export const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
