// Holds the model and the thinking level of the next request; each change is one event.
// Guarantees: state first; a model of a run never replaces the session's own.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import { ignoresLevel, modelName } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'

export interface ModelChanges {
  /** Why there is no usable model; undefined if there is one. */
  unusable(): Failure | undefined
  /** Loads the facts of the opening model if they are missing; see `pendingModel` of the parts. */
  pending(): Observable<unknown> | undefined
  /** Ends a model of the run alone. @param by by default `client` */
  setModel(chosen: ProviderModel, by?: 'client' | 'server'): EventNamed<'model_change'>
  /**
   * Sets a model for the run that is on, or takes it back (undefined). Returns nothing if the next request has this model
   * already.
   */
  setRunModel(chosen: ProviderModel | undefined, reason: string): EventNamed<'model_change'> | undefined
  /** @param by by default `client` */
  setThinkingLevel(level: ThinkingLevel, by?: 'client' | 'server'): EventNamed<'thinking_level_change'>
}

/** The settings with a model and its level. */
export type ChosenModel = Omit<RequestSettings, 'system' | 'tools'>

export interface ModelSettings {
  /** For the next request. */
  current(): ChosenModel
  /** The same without a model of the run alone. */
  own(): ChosenModel
  readonly changes: ModelChanges
}

export interface ModelSettingsOptions {
  openedSettings(): RequestSettings
  /** The failure of a session that was opened without a usable model. */
  readonly unusable: Failure | undefined
  readonly pendingModel: SessionParts['pendingModel']
  onOtherModel(): void
}

export function modelSettings({
  openedSettings,
  unusable,
  pendingModel,
  onOtherModel,
}: ModelSettingsOptions): ModelSettings {
  let model: ProviderModel | undefined
  let runModel: ProviderModel | undefined
  let thinkingLevel: ThinkingLevel | undefined
  const own = (): ChosenModel => {
    const opened = openedSettings()
    return { ...(model ?? opened), thinkingLevel: thinkingLevel ?? opened.thinkingLevel }
  }
  const current = (): ChosenModel => {
    const { thinkingLevel: level } = own()
    return runModel === undefined ? own() : { ...runModel, thinkingLevel: runModel.thinkingLevel ?? level }
  }
  const changes: ModelChanges = {
    unusable: () => (model === undefined ? unusable : undefined),
    pending: () => (model === undefined ? pendingModel?.() : undefined),
    setModel: (chosen, by = 'client') => {
      const isFirst = model === undefined && unusable !== undefined
      const from = isFirst ? {} : { from: modelName(current().model) }
      if (from.from !== modelName(chosen.model)) onOtherModel()
      model = chosen
      runModel = undefined
      return { type: 'model_change', ...from, to: modelName(chosen.model), by, ...windowOf(chosen), ...roleOf(chosen) }
    },
    setRunModel: (chosen, reason) => {
      if (runModel === undefined && chosen === undefined) return undefined
      const { model: before } = current()
      const isSameLevel = runModel?.thinkingLevel === chosen?.thinkingLevel
      runModel = chosen
      const [from, to] = [modelName(before), modelName(current().model)]
      if (from === to && isSameLevel) return undefined
      if (from !== to) onOtherModel()
      const facts = { ...windowOf(current()), ...roleOf(chosen), reason, ownModel: modelName(own().model) }
      return { type: 'model_change', from, to, by: 'server', ...facts }
    },
    setThinkingLevel: (to, by = 'client') => {
      const from = current().thinkingLevel
      thinkingLevel = to
      const isIgnored = changes.unusable() === undefined && ignoresLevel(current().model, to)
      return { type: 'thinking_level_change', from, to, by, ...(isIgnored && { ignored: true }) }
    },
  }
  return { current, own, changes }
}

function windowOf({ model: { contextWindow } }: Pick<ProviderModel, 'model'>): { readonly contextWindow?: number } {
  return contextWindow === undefined ? {} : { contextWindow }
}

/** The role `default` is the usual one, and needs no word. */
function roleOf(chosen: ProviderModel | undefined): Pick<EventNamed<'model_change'>, 'role' | 'thinkingLevel'> {
  const { role, thinkingLevel } = chosen ?? {}
  return { ...(role && role !== 'default' && { role }), ...(thinkingLevel && { thinkingLevel }) }
}
