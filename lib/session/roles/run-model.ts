// Chooses a model for the run that is on: of /commit, of the files that it touches, for images.
// Guarantees: the session's own model comes back when the run ends; a model that cannot be used is a warning.
import { catchError, concat, concatMap, defer, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RunPorts } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Message, ToolCall } from '../../streams/messages/message.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { RoleChoice } from './role-choice.ts'
import type { SessionRoles } from './roles-port.ts'

export interface RunModel {
  /** Emits the events of a change before a request, or is undefined if there is none. Never fails. */
  due(): Observable<AgentEvent> | undefined
  /** Takes the run's model back. */
  end(): readonly AgentEvent[]
}

export interface RunModelOptions {
  readonly roles: SessionRoles | undefined
  readonly conversation: Pick<RunPorts['conversation'], 'messages'>
  readonly settings: {
    current(): ProviderModel
    own(): ProviderModel
    setRunModel(chosen: ProviderModel | undefined, reason: string): AgentEvent | undefined
  }
}

/** Reasons for another model than the session's. */
interface Needs {
  readonly isCommit: boolean
  readonly images: 'none' | 'of a tool' | 'of a person'
  /** The last file that a glob of the settings matches decides. */
  readonly files: readonly string[]
}

const noNeeds: Needs = { isCommit: false, images: 'none', files: [] }

/** A model, and why the run has it. */
interface Chosen {
  readonly model: ProviderModel | undefined
  readonly reason: string
}

export function runModel(options: RunModelOptions): RunModel {
  const { settings, conversation } = options
  let needs = noNeeds
  let isBegun = false
  let hasWarned = false
  const warnOnce = (): AgentEvent[] => {
    if (hasWarned) return []
    hasWarned = true
    const name = modelName(settings.current().model)
    return [
      warning('vision_undefined', `${name} takes no images, and the setting models.vision names no model for them`),
    ]
  }
  return {
    due: () => {
      const more = readNeeds(conversation, isBegun)
      isBegun = true
      if (more === undefined) return undefined
      needs = joinNeeds(needs, more)
      const { roles } = options
      if (roles === undefined) {
        const isBlind = needs.images === 'of a person' && !seesImages(settings.own())
        return isBlind && !hasWarned ? of(...warnOnce()) : undefined
      }
      return change$(needs, { ...options, roles }, warnOnce)
    },
    end: () => {
      needs = noNeeds
      isBegun = false
      const event = settings.setRunModel(undefined, 'the run has ended')
      return event === undefined ? [] : [event]
    },
  }
}

type Parts = RunModelOptions & { readonly roles: SessionRoles }

function change$(needs: Needs, parts: Parts, warnBlind: () => AgentEvent[]): Observable<AgentEvent> {
  const { settings } = parts
  const set = ({ model, reason }: Chosen): AgentEvent[] => {
    const event = settings.setRunModel(model, reason)
    return event === undefined ? [] : [event]
  }
  return jobChoice(needs, parts).pipe(
    concatMap((choice) => findChosen(choice, parts)),
    concatMap((found) => {
      if ('type' in found) return of(found)
      const isBlind = needs.images !== 'none' && !seesImages(found.model ?? settings.own())
      if (!isBlind) return set(found)
      return parts.roles.choice('vision').pipe(
        concatMap((vision) => {
          if (vision === undefined) return [...set(found), ...(needs.images === 'of a person' ? warnBlind() : [])]
          const name = modelName((found.model ?? settings.own()).model)
          const reason = `${name} takes no images (${vision.setting})`
          return findChosen({ choice: vision, reason }, parts).pipe(
            concatMap((seeing) => ('type' in seeing ? of(seeing) : set(seeing.model === undefined ? found : seeing))),
          )
        }),
      )
    }),
  )
}

interface Wanted {
  readonly choice: RoleChoice
  readonly reason: string
}

/** Emits once what `/commit`, else the last matching file of a session with its usual model, asks for. */
function jobChoice({ isCommit, files }: Needs, { roles, settings }: Parts): Observable<Wanted | undefined> {
  const none$ = of(undefined)
  const byFile$ =
    settings.own().role === 'default'
      ? concat(
          ...files.map((file) =>
            roles
              .choiceOfFile('default', file)
              .pipe(map((choice) => choice && { choice, reason: `${file} (${choice.setting})` })),
          ),
        ).pipe(reduce<Wanted | undefined, Wanted | undefined>((before, next) => next ?? before, undefined))
      : none$
  if (!isCommit) return byFile$
  return roles
    .choice('commit', files.at(-1))
    .pipe(
      concatMap((choice) => (choice === undefined ? byFile$ : of({ choice, reason: `/commit (${choice.setting})` }))),
    )
}

/** Emits the model; before it a warning if it cannot be used: then the session's own. */
function findChosen(wanted: Wanted | undefined, { roles }: Parts): Observable<Chosen | AgentEvent> {
  if (wanted === undefined) return of({ model: undefined, reason: 'the usual model of the session' })
  const { choice, reason } = wanted
  return defer(() => roles.find(choice)).pipe(
    map((model): Chosen => ({ model, reason })),
    catchError((error: unknown) => {
      const message = `${choice.setting} names ${choice.name}, which cannot be used: ${describeThrown(error)}`
      return of(warning('role_unusable', message), { model: undefined, reason })
    }),
  )
}

function warning(code: string, message: string): AgentEvent {
  return { type: 'warning', code, message, recoverable: true }
}

function seesImages({ model }: ProviderModel): boolean {
  return model.inputs.includes('image')
}

/** Needs of the messages since the last answer, and of the calls of that answer; undefined if none. */
function needsOf({ messages }: Pick<RunPorts['conversation'], 'messages'>, isBegun: boolean): Needs | undefined {
  const at = messages.findLastIndex(({ role }) => (isBegun ? role === 'assistant' : isAnswer(role)))
  const next = messages.slice(at + 1)
  const isCommit = next.some((message) => message.role === 'user' && message.invocation?.name === 'commit')
  const images = imagesIn(next)
  const files = touchedFiles(messages[at], next)
  return isCommit || images !== 'none' || files.length > 0 ? { isCommit, images, files } : undefined
}

/** Nothing if the log is damaged: the request reports that. */
function readNeeds(conversation: Pick<RunPorts['conversation'], 'messages'>, isBegun: boolean): Needs | undefined {
  try {
    return needsOf(conversation, isBegun)
  } catch {
    return undefined
  }
}

/** Results before the input of a run are those of an earlier run. */
function isAnswer(role: string): boolean {
  return role === 'assistant' || role === 'toolResult'
}

function imagesIn(messages: readonly Message[]): Needs['images'] {
  const withImages = messages.filter(
    (message) =>
      (message.role === 'user' || message.role === 'toolResult') &&
      typeof message.content !== 'string' &&
      message.content.some(({ type }) => type === 'image'),
  )
  if (withImages.length === 0) return 'none'
  return withImages.some(({ role }) => role === 'user') ? 'of a person' : 'of a tool'
}

const fileTools: ReadonlySet<string> = new Set(['read', 'write', 'edit'])

/** The files of calls that succeeded. */
function touchedFiles(answer: Message | undefined, results: readonly Message[]): readonly string[] {
  if (answer?.role !== 'assistant') return []
  const succeeded = new Set(
    results.flatMap((message) => (message.role === 'toolResult' && !message.isError ? [message.toolCallId] : [])),
  )
  return innerCalls(answer.content).flatMap((call) => (succeeded.has(call.id) ? pathOf(call) : []))
}

function pathOf({ name, arguments: { path } }: ToolCall): string[] {
  return fileTools.has(name) && typeof path === 'string' && path !== '' ? [path] : []
}

const mostFiles = 100

function joinNeeds(before: Needs, next: Needs): Needs {
  return {
    isCommit: before.isCommit || next.isCommit,
    images: next.images === 'of a person' || before.images === 'none' ? next.images : before.images,
    files: [...before.files, ...next.files].slice(-mostFiles),
  }
}
