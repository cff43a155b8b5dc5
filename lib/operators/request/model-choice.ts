// Chooses the model of each request: a fallback answers until the cooldown of the model is over.
import { asyncScheduler, concat, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { RequestSettings } from '../ports/run-ports.ts'

/** Of one run. */
export interface ModelChoice {
  /** The models to ask, in order, at least one: the model or its stand-in, then the fallbacks after it. */
  candidates(settings: RequestSettings): readonly [RequestSettings, ...RequestSettings[]]
  /**
   * Emits an event first if the last candidates begin again with a model that a fallback stood in for. Otherwise returns
   * the answer itself: a delta pays for no operator.
   */
  announce<Value>(answer$: Observable<Value>): Observable<Value | EventNamed<'model_fallback'>>
  /** The role of the last candidates' settings; undefined without one. */
  role(): string | undefined
  /** Notes why a candidate does not answer: it is asked again when its cooldown is over. */
  cool(candidate: RequestSettings, failure: Failure): void
  /** Makes this candidate the first from now on, until the settings name another model or a cooldown is over. */
  setAnswering(candidate: RequestSettings): void
}

/** Milliseconds until a model is asked again whose provider names no time: the lifetime of most prompt caches. */
const defaultCooldownMs = 300_000

/** A new choice: the next request begins with the model itself. */
export function createModelChoice(): ModelChoice {
  let chosen: string | undefined
  let own: RequestSettings | undefined
  let standIn: string | undefined
  let back: EventNamed<'model_fallback'> | undefined
  /** By name, the times at which the cooldown began and from which the model is asked again. */
  let cooldowns = new Map<string, { readonly from: number; readonly until: number }>()
  const isReady = ({ model }: RequestSettings): boolean => {
    const { from = -Infinity, until = Infinity } = cooldowns.get(modelName(model)) ?? {}
    const now = asyncScheduler.now()
    return now >= until || (now < from && until < Infinity) // the clock was set back: nobody knows how long it lasts
  }
  return {
    candidates: (settings) => {
      const name = modelName(settings.model)
      if (name !== chosen) {
        standIn = undefined
        cooldowns = new Map()
      }
      chosen = name
      own = settings
      back = undefined
      const fallbacks = (settings.fallbacks ?? []).map(({ model, provider }) => ({ ...settings, model, provider }))
      const all: readonly [RequestSettings, ...RequestSettings[]] = [settings, ...fallbacks]
      const at = standIn === undefined ? 0 : fallbacks.findIndex(({ model }) => modelName(model) === standIn) + 1
      const ready = all.findIndex((each, index) => index < at && isReady(each))
      if (ready >= 0 && standIn !== undefined) back = returnEvent(standIn, all[ready] ?? settings)
      const [first, ...behind] = all.slice(ready >= 0 ? ready : at)
      return first === undefined ? all : [first, ...behind]
    },
    announce: (answer$) => (back === undefined ? answer$ : concat(of(back), answer$)),
    role: () => own?.role,
    cool: ({ model }, { data: { kind, retryAfterMs } }) => {
      // a refused key does not get better by waiting
      const ms = kind === 'auth' ? (retryAfterMs ?? Infinity) : (retryAfterMs ?? defaultCooldownMs)
      const from = asyncScheduler.now()
      cooldowns.set(modelName(model), { from, until: from + ms })
    },
    setAnswering: (candidate) => {
      // a fallback may have the model's own name: the same model at another endpoint
      standIn = candidate === own ? undefined : modelName(candidate.model)
    },
  }
}

function returnEvent(from: string, { model }: RequestSettings): EventNamed<'model_fallback'> {
  const to = modelName(model)
  const message = `The cooldown of ${to} is over: it is asked again`
  return { type: 'model_fallback', attempt: 1, delayMs: 0, kind: 'cooldown_over', from, to, message }
}
