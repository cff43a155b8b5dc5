// Builds the proxy's token and the table of models that its clients may name.
import { toFetch } from '../../host/http/http-fetch.ts'
import { nodeTransport } from '../../host/http/http-transport.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { fileAuthStorage, loadConfiguration } from '../../store/index.ts'
import { proxyToken } from './proxy-token.ts'
import type { ListenerToken } from './proxy-token.ts'
import { defer, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { catalogueOf, demoModel, presets, registeredProviders } from '../../providers/index.ts'
import { catalogueFile } from '../../providers/catalogue/catalogue-file.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import { configuredModel } from '../models/configured-model.ts'
import type { UserConfiguration } from '../models/configured-model.ts'

export interface ProxySetup {
  readonly token: ListenerToken
  readonly models: ProxyModels
}

/** @param named models beside the known ones @throws Failure as `proxyToken` and `loadConfiguration` do */
export function proxySetup(env: Readonly<Record<string, string>>, named: readonly string[] = []): ProxySetup {
  const { home, config } = rxpiPaths(env)
  const authStorage = fileAuthStorage({ home })
  const fetch = toFetch(nodeTransport({ proxyEnv: env }))
  const configuration = () => ({
    ...loadConfiguration({ env, configFolder: config }),
    authStorage,
    home,
    fetch,
    keepsChoice: false,
  })
  configuration() // reports an invalid file now
  return { token: proxyToken(env, home), models: proxyModels({ env, configuration, named }) }
}

interface ProxyModels {
  /**
   * Emits the model of this name once, with the keys of this machine; fails with `bad_request` for an unknown name, and
   * as `resolveModel` does. A name never becomes a file, an address or a part of a path.
   */
  find(name: string): Observable<ProviderModel>
}

interface ProxyModelsOptions {
  /** The environment of the serving process: keys and addresses. */
  readonly env: Readonly<Record<string, string>>
  /** Reads the configuration anew for each request. */
  configuration(): UserConfiguration
  /** Names beside the catalogue and models.json. */
  readonly named: readonly string[]
}

/** The models of the catalogue, of models.json, of registered providers, and of `named`. */
function proxyModels({ env, configuration, named }: ProxyModelsOptions): ProxyModels {
  return {
    find: (name): Observable<ProviderModel> =>
      defer(() => {
        const configured = configuration()
        const known$ = named.includes(name) ? of(true) : isKnown(name, configured)
        return known$.pipe(
          mergeMap((known) => {
            if (!known) throw unknownModelFailure(name)
            return configuredModel({ model: name, cwd: '/', env }, configured, undefined)
          }),
        )
      }),
  }
}

function isKnown(name: string, { models, home }: UserConfiguration): Observable<boolean> {
  const slash = name.indexOf('/')
  const [provider, id] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash < 1 || id === '') return of(false)
  if (name === modelName(demoModel)) return of(true)
  const registered = registeredProviders.get(provider)
  if (registered !== undefined) return of(registered.models.some((model) => model.id === id))
  const entry = getOwn(models.providers, provider)
  if (entry?.models?.some((model) => model.id === id) === true) return of(true)
  const preset = getOwn(presets, provider)
  if (preset === undefined) return of(false)
  const listed = [provider, preset.catalogue ?? provider]
  return catalogueOf(listed, catalogueFile(home)).pipe(map(({ ids }) => listed.some((list) => ids(list).includes(id))))
}

function unknownModelFailure(name: string): Failure {
  const shown = JSON.stringify(name.slice(0, 200))
  const message = `The proxy knows no model ${shown}: name one of the catalogue or of models.json, or serve it with --proxy-model.`
  return new Failure('bad_request', message, { data: { field: 'model' } })
}
