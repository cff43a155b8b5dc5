// A key whose provider chooses no model unasked is not passed over in silence.
import type { Notice } from '../endpoints/notice.ts'
import { setVariable } from '../endpoints/preset-named.ts'
import { presets } from '../endpoints/presets.ts'

/** One notice for all of them, or none. Keys that are usually there for other things say nothing. */
export function unnamedKeys(env: Readonly<Record<string, string>>): readonly Notice[] {
  const found = Object.entries(presets).flatMap(([provider, preset]) => {
    const variable =
      preset.sharedKey === true || preset.defaultModel !== undefined ? undefined : setVariable(preset, env)
    return variable === undefined ? [] : [{ provider, variable }]
  })
  if (found.length === 0) return []
  const variables = `${found.map(({ variable }) => variable).join(' and ')} ${found.length === 1 ? 'is' : 'are'} set`
  const names = found.map(({ provider }) => `--model ${provider}/<id>`).join(' or ')
  const message = `${variables}, but no model there is taken unasked: name one with ${names}; rxpi models lists them.`
  return [{ code: 'model_unnamed', message }]
}
