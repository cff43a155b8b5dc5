// Which endpoints on this machine say what they serve is looked at as a person would want to know it: those that answer, or none.
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { UserConfiguration } from '../models/configured-model.ts'
import { listModels } from '../models/list-models.ts'

type Check = ResultOf<'doctor'>['checks'][number]

/** Emits one check and completes; never fails. @param configured the user's files, for this client */
export function localModelsCheck(
  { cwd, env = {} }: Pick<CommandNamed<'doctor'>, 'cwd' | 'env'>,
  configured: () => UserConfiguration,
): Observable<Check> {
  const found = (ok: boolean, message: string): Check => ({ name: 'local models', ok, required: false, message })
  return defer(() => {
    const configuration = configured()
    if (configuration.settings.localModels?.withinMs === 0)
      return of(found(true, 'not looked for, as the settings say'))
    return listModels(() => configuration)({ cwd, env, usable: true }).pipe(
      map(({ models, endpoints }) => {
        const answering = endpoints.filter(({ problem }) => problem === undefined)
        const lines = answering.map(({ provider, baseUrl }) => {
          const count = models.filter(({ model, served }) => served && model.provider === provider).length
          return `${provider} at ${baseUrl} (${count} ${count === 1 ? 'model' : 'models'})`
        })
        return found(
          lines.length > 0,
          lines.length > 0 ? lines.join(', ') : 'no server of models answers on this machine',
        )
      }),
    )
  }).pipe(catchError((error: unknown) => of(found(false, Failure.from(error).message))))
}
