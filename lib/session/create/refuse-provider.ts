// Decides which providers an extension may not offer: those that rxpi or the user have.
import { presets } from '../../providers/index.ts'
import type { ModelsFile, ModelsProvider } from '../../streams/config/settings.ts'

/** Names and keys that are the user's: an extension can neither take a provider's place nor have its key sent elsewhere. */
export function refuseProvider(models: ModelsFile): (name: string, entry: ModelsProvider) => string | undefined {
  return (name, { apiKey = [] }) => {
    if (Object.hasOwn(presets, name) || Object.hasOwn(models.providers, name) || name === 'demo') {
      return 'the name is that of another provider'
    }
    const variables = new Set(
      Object.values(presets).flatMap(({ keyVariable, otherKeyVariables = [] }) => [keyVariable, ...otherKeyVariables]),
    )
    const taken = [apiKey]
      .flat()
      .flatMap(variablesIn)
      .find((each) => variables.has(each))
    return taken === undefined ? undefined : `$${taken} is the key of another provider`
  }
}

function variablesIn(spec: string): readonly string[] {
  return [...spec.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name)
}
