// Builds how an extension offers models; a model that is gone answers no more requests.
import { Observable, defer } from 'rxjs'
import { modelName } from '../../streams/models/model.ts'
import { providerNamePattern } from '../../streams/config/settings.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { checkWrittenModels } from '../../streams/validation/file-validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionModelsApi, NamedEndpoint } from '../api/models-contract.ts'
import type { Registration } from '../api/registration.ts'
import type { ApiParts } from './api-parts.ts'
import { needCapability } from './check-registration.ts'
import type { ConnectedSession } from './session-host.ts'
import type { Registry } from './contribution-registry.ts'

/** @param add registers until the extension ends */
export function buildModelsApi(
  parts: ApiParts,
  add: <Value>(to: Registry<Value>, value: Value) => Registration,
  requireOpen: () => ConnectedSession,
): ExtensionModelsApi {
  const { contributions, manifest, life } = parts
  return {
    register: (model) => {
      const name = modelName(model.model)
      needCapability(parts, 'http', `models.register ${name}`)
      const other = contributions.models.entries.find(({ value }) => modelName(value.model) === name)
      if (other !== undefined && other.owner !== manifest.name) throw takenFailure(`model ${name}`, other.owner)
      return add(contributions.models, whileLoaded(parts, model))
    },
    provider: (name, entry) => {
      needCapability(parts, 'http', `models.provider ${name}`)
      return add(contributions.endpoints, checkEndpoint(parts, name, entry))
    },
    complete: (request) =>
      defer(() => {
        needCapability(parts, 'http', `models.complete ${request.model ?? ''}`.trim())
        return requireOpen().complete(request)
      }).pipe(life.bind()),
  }
}

/** An open request fails when the extension ends, and later ones do at once. */
function whileLoaded(
  { manifest: { name }, life }: ApiParts,
  { model, provider, ...rest }: ProviderModel,
): ProviderModel {
  const failure = (): Failure => unloadedFailure(modelName(model), name)
  return {
    ...rest,
    model,
    provider: (request) =>
      new Observable((subscriber) => {
        if (life.ended) {
          subscriber.error(failure())
          return
        }
        subscriber.add(life.end$.subscribe(() => subscriber.error(failure())))
        subscriber.add(defer(() => provider(request)).subscribe(subscriber))
      }),
  }
}

/** @throws Failure `bad_request` */
function checkEndpoint(
  { contributions, manifest, host }: ApiParts,
  name: string,
  entry: ModelsProvider,
): NamedEndpoint {
  if (!new RegExp(providerNamePattern).test(name)) {
    throw new Failure(
      'bad_request',
      `${JSON.stringify(name)} is no name of a provider: lower case letters, digits, ".", "_", "-"`,
    )
  }
  const other = contributions.endpoints.entries.find(({ value }) => value.name === name)
  if (other !== undefined) throw takenFailure(`provider ${name}`, other.owner)
  const checked = checkWrittenModels({ providers: { [name]: entry } })
  const problem = checked.ok ? unknownKey(checked.value.unknown) : checked.problem
  if (problem !== undefined) throw new Failure('bad_request', `The provider ${name} is not valid: ${problem}`)
  const { apiKey = [], baseUrl, models = [] } = entry
  if (baseUrl === undefined) throw new Failure('bad_request', `The provider ${name} is not valid: baseUrl is missing`)
  if ([apiKey].flat().some((key) => key.startsWith('!')) || models.some((each) => each.baseUrl !== undefined)) {
    throw new Failure(
      'bad_request',
      `The provider ${name} is not valid: a key that is a command, or a baseUrl of one model, belongs into models.json`,
    )
  }
  const refusal = host.refuseProvider?.(name, entry)
  if (refusal !== undefined)
    throw new Failure('bad_request', `The extension ${manifest.name} cannot offer ${name}: ${refusal}`)
  return { name, entry: structuredClone(entry) }
}

function unknownKey([first]: readonly { readonly key: string }[]): string | undefined {
  return first === undefined ? undefined : `there is no field ${JSON.stringify(first.key)}`
}

function takenFailure(what: string, owner: string): Failure {
  return new Failure('bad_request', `The extension ${owner} offers the ${what} already`)
}

/** Of a model whose extension is gone. */
function unloadedFailure(model: string, extension: string): Failure {
  return new Failure(
    'no_model',
    `The extension ${extension}, which offered ${model}, was unloaded; choose another model`,
  )
}
