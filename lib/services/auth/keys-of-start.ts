// Names the providers whose key is in the environment with which a person started the server.
import { presets } from '../../providers/index.ts'

/** In the order of the presets. */
export function keysOfStart(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(presets).flatMap(([provider, { keyVariable, otherKeyVariables = [] }]) => {
    const variables = keyVariable === undefined ? [] : [keyVariable, ...otherKeyVariables]
    return variables.some((name) => env[name]?.trim()) ? [provider] : []
  })
}
