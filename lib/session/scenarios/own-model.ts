// Holds the session's own model while a phase has another, to go back to it.
// Guarantees: a model that a person chooses meanwhile is the session's own from then on.
import { catchError, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { LoggedPhase } from '../../streams/state/fold-settings.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface OwnModel {
  /** The name of the own model; undefined if the session has it, or no model at all. */
  name(): string | undefined
  /** The thinking level that comes back with it; undefined if the level stays. */
  level(): ThinkingLevel | undefined
  /** Emits the own model once, or the `warning` that it is not found; undefined if the session has it. Never fails. */
  find(): Observable<ProviderModel | AgentEvent> | undefined
  /** Notes that a phase is about to set this model. */
  replace(by: ProviderModel): void
}

export interface OwnModelOptions {
  readonly logged: Pick<LoggedPhase, 'ownModel' | 'ownThinkingLevel'> | undefined
  /** The last model of the log. */
  readonly loggedModel: string | undefined
  /** The model of the next request, with its thinking level; undefined if there is none. */
  current(): ProviderModel | undefined
  findModel(name: string): Observable<ProviderModel>
}

interface Away {
  readonly name: string
  /** Absent if only the log names it. */
  readonly model?: ProviderModel
  /** The model of the phase. */
  readonly instead: string | undefined
  /** The level from before the phase, whose model brought its own. */
  readonly level?: ThinkingLevel | undefined
}

export function ownModel({ logged, loggedModel, current, findModel }: OwnModelOptions): OwnModel {
  let away: Away | undefined =
    logged?.ownModel === undefined
      ? undefined
      : { name: logged.ownModel, instead: loggedModel, level: logged.ownThinkingLevel }
  const nameOf = (model: ProviderModel | undefined): string | undefined => model && modelName(model.model)
  const own = (): Away | undefined => (away !== undefined && away.instead === nameOf(current()) ? away : undefined)
  return {
    name: () => own()?.name,
    level: () => own()?.level,
    find: () => {
      const { name, model, level } = own() ?? {}
      if (name === undefined) return undefined
      const found$ = model === undefined ? findModel(name) : of(model)
      return found$.pipe(
        map((found) => withLevel(found, level)),
        catchError((error: unknown) => of(notFound(name, error))),
      )
    },
    replace: (by) => {
      const before = own() ?? ownOf(current())
      const instead = modelName(by.model)
      const level = before?.level ?? (by.thinkingLevel === undefined ? undefined : current()?.thinkingLevel)
      away = before === undefined || before.name === instead ? undefined : { ...before, instead, level }
    },
  }
}

function ownOf(model: ProviderModel | undefined): Pick<Away, 'name' | 'model' | 'level'> | undefined {
  if (model === undefined) return undefined
  const { model: about, provider, fallbacks, role } = model
  const own = { model: about, provider, ...(fallbacks && { fallbacks }), ...(role && { role }) }
  return { name: modelName(about), model: own }
}

/** The level stays unless a phase has changed it. */
function withLevel({ thinkingLevel: _, ...found }: ProviderModel, level: ThinkingLevel | undefined): ProviderModel {
  return level === undefined ? found : { ...found, thinkingLevel: level }
}

function notFound(name: string, error: unknown): AgentEvent {
  const message = `The session keeps the model of the phase: its own, ${name}, is not found: ${describeThrown(error)}`
  return { type: 'warning', code: 'model_stays', message, recoverable: true }
}
