// Checks an installation: files, programs, keys and models. No check prints a key's value.
import { accessSync, constants, lstatSync, mkdirSync, statfsSync } from 'node:fs'
import { catchError, defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { lazyProbe$ } from '../../host/sandbox/lazy-probe.ts'
import { findProgram } from '../../host/process/find-program.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { catalogueData, catalogueFile } from '../../providers/catalogue/catalogue-file.ts'
import { listKeys, processKeyMemory } from '../../providers/index.ts'
import { loadConfiguration } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { modelName } from '../../streams/models/model.ts'
import { joinSentences } from '../../streams/values/sentences.ts'
import { configuredModel, sourceWords } from '../models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import { accessChecks } from './access-checks.ts'
import { commandsCheck } from './commands-check.ts'
import { createModelsBackend } from '../models/models-backend.ts'
import { countOf } from '../../streams/values/count-of.ts'

type Doctor = ResultOf<'doctor'>
type Check = Doctor['checks'][number]
type Request = Omit<CommandNamed<'doctor'>, 'type'>

export interface DoctorOptions {
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  /** The user's keys. */
  readonly authStorage: AuthStorage
  /** The environment with which a person started the server; for providers alone. Default: none. */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
}

/** Emits once and never fails. */
export function doctor(request: Request, { env, version, authStorage, startEnv }: DoctorOptions): Observable<Doctor> {
  return defer(() => {
    const paths = rxpiPaths(env)
    const checks: Check[] = [
      required(
        'rxpi',
        () => `version ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      ),
      required('state folder', () => withRemedy(paths.home, stateFolder)),
      required('configuration', () => configuration(request, paths.config)),
      program('bash', request, 'runs the commands of the bash tool'),
      program('git', request, 'is used by models through bash'),
      program('rg', request, 'lets models search fast through bash'),
      useful('disk', () => freeSpace(paths.home)),
      useful('catalogue', () => catalogue(paths.home)),
      useful('keys', () => keys(request, { authStorage, startEnv, folder: paths.config, home: paths.home })),
      ...accessChecks(request, paths.home),
    ]
    const { env: own = {} } = request
    const configured = (): UserConfiguration => ({
      ...loadConfiguration({ env: own, configFolder: paths.config }),
      authStorage,
      home: paths.home,
      startEnv,
    })
    return forkJoin([
      sandboxCheck(),
      localModelsCheck(request, configured),
      modelCheck(request, { authStorage, startEnv, folder: paths.config, home: paths.home }),
      commandsCheck(request, paths),
    ]).pipe(map((others) => ({ checks: [...checks, ...others.flat()] })))
  })
}

function required(name: string, look: () => string): Check {
  return check(name, look, { required: true })
}

function useful(name: string, look: () => string): Check {
  return check(name, look, { required: false })
}

function check(name: string, look: () => string, { required: isRequired }: { readonly required: boolean }): Check {
  try {
    return { name, ok: true, required: isRequired, message: look() }
  } catch (error) {
    return { name, ok: false, required: isRequired, message: Failure.from(error).message }
  }
}

/** Searched as the tools do, not with the server's own PATH. */
function program(name: string, { env = {}, cwd }: Request, use: string): Check {
  const found = findProgram(name, { searchPath: env['PATH'], workspace: cwd })
  const message = found === undefined ? `not found; it ${use}` : found
  return { name, ok: found !== undefined, required: name === 'bash', message }
}

/** Adds a remedy to an error of the system. */
function withRemedy(home: string, look: (home: string) => string): string {
  try {
    return look(home)
  } catch (error) {
    throw errnoOf(error) === undefined ? error : storageFailure(`use ${home}`, error)
  }
}

function stateFolder(home: string): string {
  const status = lstatSync(home, { throwIfNoEntry: false })
  if (status === undefined) {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    return `${home} (created)`
  }
  if (status.isSymbolicLink()) throw new Error(`${home} is a symbolic link; set RXPI_HOME to the folder it points to`)
  if (!status.isDirectory()) throw new Error(`${home} is not a folder; move it away, or set RXPI_HOME to another`)
  if (status.uid !== process.geteuid?.())
    throw new Error(`${home} belongs to another user; set RXPI_HOME to one of yours`)
  accessSync(home, constants.W_OK | constants.X_OK)
  const mode = status.mode & 0o777
  if ((mode & 0o077) !== 0)
    throw new Error(`${home} has mode ${mode.toString(8)}, so other users can read it; run chmod 700 ${home}`)
  return home
}

function configuration({ env = {} }: Request, folder: string): string {
  const { warnings } = loadConfiguration({ env, configFolder: folder })
  const exposed = warnings.find(({ code }) => code === 'config_writable_by_others')
  if (exposed !== undefined) throw new Error(exposed.message)
  return [`${folder} is valid`, ...warnings.map(({ message }) => message)].join('; ')
}

function freeSpace(home: string): string {
  const { bavail, bsize } = statfsSync(home)
  const megabytes = Math.floor((bavail * bsize) / 1_048_576)
  if (megabytes < 100) throw new Error(`only ${megabytes} MiB are free at ${home}; free some space for the logs`)
  return `${megabytes} MiB free at ${home}`
}

interface KeySources extends Pick<DoctorOptions, 'authStorage' | 'startEnv'> {
  /** The folder of the configuration. */
  readonly folder: string
  /** `$RXPI_HOME`. */
  readonly home: string
}

/** The names of the keys in use, never a value. */
function keys({ env = {}, cwd }: Request, { authStorage, startEnv, folder }: KeySources): string {
  const { models } = loadConfiguration({ env, configFolder: folder })
  const listed = listKeys({ env, startEnv, cwd, models, authStorage, memory: processKeyMemory })
  const used = listed.flatMap(({ provider, keys: all }) => {
    const [first] = all.filter((key) => key.used)
    return first === undefined
      ? []
      : [`${provider} (${first.name ?? first.from}${first.ofServer === true ? " of the server's start" : ''})`]
  })
  if (used.length === 0)
    throw new Error(
      'no key found; store one with rxpi auth set <provider>, or sign in to a plan with rxpi auth login <provider>. Until then rxpi uses models.json or a model server here',
    )
  return used.join(', ')
}

/** The origin and the day of windows, levels and prices. */
function catalogue(home: string): string {
  const { source, problem } = catalogueData(catalogueFile(home))
  if (problem !== undefined) throw new Error(problem)
  const { name, version, date, at } = source
  const origin = at === undefined ? 'part of rxpi' : `fetched on ${new Date(at).toISOString().slice(0, 10)}`
  return `${name} ${version} of ${date}, ${origin}; rxpi models update fetches newer data`
}

/** One real run of the sandbox; rxpi works without one, but asks more. */
function sandboxCheck(): Observable<Check> {
  return lazyProbe$.pipe(map(({ works, message }): Check => ({ name: 'sandbox', ok: works, required: false, message })))
}

/** A model that is named has to be usable; without one rxpi can still read sessions. */
function modelCheck(
  { env = {}, cwd, model }: Request,
  { authStorage, startEnv, folder, home }: KeySources,
): Observable<Check> {
  return defer(() => {
    const configuration = {
      ...loadConfiguration({ env, configFolder: folder }),
      authStorage,
      home,
      startEnv,
      keepsChoice: false,
    }
    return configuredModel({ cwd, env, ...(model === undefined ? {} : { model }) }, configuration, undefined)
  }).pipe(
    map((found): Check => ({ name: 'model', ok: true, required: true, message: modelLine(found) })),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      return of<Check>({
        name: 'model',
        ok: false,
        required: code !== 'no_model',
        message: joinSentences([message, choiceOrder]),
      })
    }),
  )
}

const choiceOrder =
  'The order of choice: --model, RXPI_MODEL, the setting model, the last chosen, models.json, a model server here, keys by vendor.'

/** The model, its fallbacks, its source and the notices. */
function modelLine({ model, fallbacks = [], notices, source }: ConfiguredModel): string {
  const others = fallbacks.map((fallback) => modelName(fallback.model))
  const behind = others.length === 0 ? '' : `, else ${others.join(', ')}`
  const named = source === 'automatic' || source === 'command' ? '' : `, ${sourceWords[source]}`
  const head = `${modelName(model)}${behind}${named}`
  return joinSentences([head, ...notices.map(({ message }) => message), choiceOrder])
}

/**
 * Emits one check of the local endpoints and completes; never fails.
 * @param configured the user's files, for this client
 */
export function localModelsCheck(
  { cwd, env = {} }: Pick<CommandNamed<'doctor'>, 'cwd' | 'env'>,
  configured: () => UserConfiguration,
): Observable<Check> {
  const found = (ok: boolean, message: string): Check => ({ name: 'local models', ok, required: false, message })
  return defer(() => {
    const configuration = configured()
    if (configuration.settings.localModels?.withinMs === 0)
      return of(found(true, 'not looked for: localModels.withinMs is 0'))
    return createModelsBackend(() => configuration, configuration.home)
      .list({ cwd, env, usable: true })
      .pipe(
        map(({ models, endpoints }) => {
          const answering = endpoints.filter(({ problem }) => problem === undefined)
          const lines = answering.map(({ provider, baseUrl }) => {
            const count = models.filter(({ model, served }) => served && model.provider === provider).length
            return `${provider} at ${baseUrl} (${countOf(count, 'model')})`
          })
          return found(
            lines.length > 0,
            lines.length > 0 ? lines.join(', ') : 'no model server answers on this machine',
          )
        }),
      )
  }).pipe(catchError((error: unknown) => of(found(false, Failure.from(error).message))))
}
