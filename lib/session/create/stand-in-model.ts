// Builds the stand-in of a session that has no usable model: it can be read, and each request fails with the reason.
import { throwError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'

/** The model of a session that is opened. */
export interface InitialModel extends ProviderModel {
  /** The `no_model` failure of a stand-in: no request can succeed. Absent: the model can be used. */
  readonly unusable?: Failure
}

/** @param name the `provider/id` that cannot be used. Default: none is known */
export function standInModel(unusable: Failure, name = 'none/none'): InitialModel {
  const slash = name.indexOf('/')
  const [provider, id] = slash < 1 ? [name, 'none'] : [name.slice(0, slash), name.slice(slash + 1)]
  const model: Model = {
    id: id || 'none',
    provider: provider || 'none',
    api: 'none',
    inputs: ['text'],
    reasoning: false,
  }
  return { model, provider: () => throwError(() => unusable), unusable }
}

/** Converts the failure of a choice to `no_model`. @param whose the source of the name, such as `of RXPI_MODEL` */
export function toNoModel(thrown: unknown, name?: string, whose = 'of this session'): Failure {
  const failure = Failure.from(thrown)
  if (failure.code === 'no_model' || name === undefined) return withCode(failure, failure.message)
  const message = `The model ${name} ${whose} cannot answer: ${failure.message} Another one: --model or /model.`
  return withCode(failure, message)
}

function withCode(failure: Failure, message: string): Failure {
  return new Failure('no_model', message, { cause: failure, data: failure.code === 'no_model' ? failure.data : {} })
}
