// Chooses the model of each request of a run: a fallback that has answered stays the first.
import { modelName } from '../../streams/models/model.ts'
import type { RequestSettings } from '../ports/run-ports.ts'

/** Of one run. */
export interface ModelChoice {
  /** The models to ask, in order, at least one: the model or its stand-in, then the fallbacks after it. */
  candidates(settings: RequestSettings): readonly [RequestSettings, ...RequestSettings[]]
  /** The role of the last candidates' settings; undefined without one. */
  role(): string | undefined
  /** Makes this candidate the first from now on, until the settings name another model. */
  setAnswering(candidate: RequestSettings): void
}

/** A new choice: the next request begins with the model itself. */
export function createModelChoice(): ModelChoice {
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
    role: () => own?.role,
    setAnswering: (candidate) => {
      // a fallback may have the model's own name: the same model at another endpoint
      standIn = candidate === own ? undefined : modelName(candidate.model)
    },
  }
}
