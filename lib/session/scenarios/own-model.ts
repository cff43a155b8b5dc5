// Holds the session's own model while a phase has another, to go back to it.
// Guarantees: a model that a person chooses meanwhile is the session's own from then on.
import { catchError, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { LoggedPhase } from '../../streams/state/fold-settings.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface OwnModel {
  /** The name of the own model; undefined if the session has it, or no model at all. */
  name(): string | undefined
  /** Emits the own model once, or the `warning` that it is not found; undefined if the session has it. Never fails. */
  find(): Observable<ProviderModel | AgentEvent> | undefined
  /** Notes that a phase is about to set this model. */
  replace(by: ProviderModel): void
}

export interface OwnModelOptions {
  readonly logged: Pick<LoggedPhase, 'ownModel'> | undefined
  /** The last model of the log. */
  readonly loggedModel: string | undefined
  /** The model of the next request; undefined if there is none. */
  current(): ProviderModel | undefined
  findModel(name: string): Observable<ProviderModel>
}

interface Away {
  readonly name: string
  /** Absent if only the log names it. */
  readonly model?: ProviderModel
  /** The model of the phase. */
  readonly instead: string | undefined
}

export function ownModel({ logged, loggedModel, current, findModel }: OwnModelOptions): OwnModel {
  let away: Away | undefined =
    logged?.ownModel === undefined ? undefined : { name: logged.ownModel, instead: loggedModel }
  const nameOf = (model: ProviderModel | undefined): string | undefined => model && modelName(model.model)
  const own = (): Away | undefined => (away !== undefined && away.instead === nameOf(current()) ? away : undefined)
  return {
    name: () => own()?.name,
    find: () => {
      const { name, model } = own() ?? {}
      if (name === undefined) return undefined
      return model === undefined ? findModel(name).pipe(catchError((error: unknown) => of(notFound(name, error)))) : of(model) // prettier-ignore
    },
    replace: (by) => {
      const before = own() ?? ownOf(current())
      const instead = modelName(by.model)
      away = before === undefined || before.name === instead ? undefined : { ...before, instead }
    },
  }
}

function ownOf(model: ProviderModel | undefined): Pick<Away, 'name' | 'model'> | undefined {
  if (model === undefined) return undefined
  const { model: about, provider, fallbacks } = model
  return { name: modelName(about), model: { model: about, provider, ...(fallbacks && { fallbacks }) } }
}

function notFound(name: string, error: unknown): AgentEvent {
  const message = `The session keeps the model of the phase: its own, ${name}, is not found: ${describeThrown(error)}`
  return { type: 'warning', code: 'model_stays', message, recoverable: true }
}
