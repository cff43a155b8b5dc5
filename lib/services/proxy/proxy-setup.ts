// What the proxy's endpoint is given of this machine: its token, and the models that it may ask.
import { rxpiPaths } from '../../host/files/paths.ts'
import { fileAuthStorage, loadConfiguration } from '../../store/index.ts'
import { proxyModels } from './proxy-models.ts'
import type { ProxyModels } from './proxy-models.ts'
import { proxyToken } from './proxy-token.ts'
import type { ProxyToken } from './proxy-token.ts'

export interface ProxySetup {
  readonly token: ProxyToken
  readonly models: ProxyModels
}

/** @param named models beside those that are known @throws Failure as `proxyToken` and `loadConfiguration` do */
export function proxySetup(env: Readonly<Record<string, string>>, named: readonly string[] = []): ProxySetup {
  const { home, config } = rxpiPaths(env)
  const authStorage = fileAuthStorage({ home })
  const configuration = () => ({
    ...loadConfiguration({ env, configFolder: config }),
    authStorage,
    home,
    keepsChoice: false,
  })
  configuration() // a file that is not valid is told now
  return { token: proxyToken(env, home), models: proxyModels({ env, configuration, named }) }
}
