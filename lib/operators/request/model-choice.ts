// A run asks the model that was chosen until a fallback has answered in its place, and from then on that one.
import { modelName } from '../../streams/models/model.ts'
import type { RequestSettings } from '../ports/run-ports.ts'

/** Of one run. */
export interface ModelChoice {
  /** What is to be asked, in order, at least one: the model or what stands in for it, then the fallbacks behind it. */
  candidates(settings: RequestSettings): readonly [RequestSettings, ...RequestSettings[]]
  /** This one of the candidates has answered: it is the first from now on, until the settings name another model. */
  setAnswering(candidate: RequestSettings): void
}

/** A choice that has not been made: the next request begins with the model itself. */
export function modelChoice(): ModelChoice {
  let chosen: string | undefined
  let own: RequestSettings | undefined
  let standIn: string | undefined
  return {
    candidates: (settings) => {
      const name = modelName(settings.model)
      if (name !== chosen) standIn = undefined
      chosen = name
      own = settings
      const fallbacks = (settings.fallbacks ?? []).map(({ model, provider }) => ({ ...settings, model, provider }))
      const at = fallbacks.findIndex(({ model }) => modelName(model) === standIn)
      const [first, ...behind] = at < 0 ? [] : fallbacks.slice(at)
      return first === undefined ? [settings, ...fallbacks] : [first, ...behind]
    },
    setAnswering: (candidate) => {
      // a fallback may have the model's own name: the same model at another endpoint
      standIn = candidate === own ? undefined : modelName(candidate.model)
    },
  }
}
