// Declares how an extension offers models: by a provider of its own, or at an address.
import type { Observable } from 'rxjs'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import type { CompletionRequest } from './completion-request.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Registration } from './registration.ts'

export interface ExtensionModelsApi {
  /**
   * Offers a model under its name `provider/id`. Needs the capability `http`.
   * @throws Failure `bad_request` if another extension has the name
   */
  register(model: ProviderModel): Registration
  /**
   * Offers the models of an endpoint: an entry as in `models.json`. A key that a person stored for the name is sent to the
   * entry's origin alone. Needs the capability `http`.
   * @throws Failure `bad_request` for an entry that is not valid, or a name that rxpi, the person or another extension uses
   */
  provider(name: string, entry: ModelsProvider): Registration
  /**
   * One request apart from the conversation, without tools; its usage counts for the session. Emits the answer, whose stop reason is
   * `error` if the model fails. Needs the capability `http`; fails with `bad_request` before the session is open, and for an unknown model.
   */
  complete(request: CompletionRequest): Observable<AssistantMessage>
}

/** An endpoint under its name. */
export interface NamedEndpoint {
  readonly name: string
  readonly entry: ModelsProvider
}
