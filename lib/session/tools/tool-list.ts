// Holds the tools of a session: inputs go through the tool pipeline, and each change builds them once.
import { Subject } from 'rxjs'
import type { Subscription } from 'rxjs'
import { chooseTools, defaultActiveTools } from './active-tools.ts'
import type { ToolChoice } from './active-tools.ts'
import { toolPipeline } from '../../operators/tool-pipeline/tool-pipeline.ts'
import type { BuiltTools, ToolLayers } from '../../operators/tool-pipeline/tool-pipeline.ts'
import type { ToolInputs } from '../../operators/tool-pipeline/tool-draft.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ToolList, UnpromptedChange } from '../contract/tool-list-port.ts'

/** The list of the parts, or an empty one that `sessionSettings` fills with the tools of the settings. */
export function openedToolList({ toolList, options }: Pick<SessionParts, 'toolList' | 'options'>): ToolList {
  if (toolList !== undefined) return toolList
  const { sandbox, allowedTools = {}, toolLayers } = options
  return createToolList(
    { base: [], runtime: [], channel: [], sandbox, policy: { ...allowedTools, names: [] } },
    toolLayers,
  )
}

interface ChosenList {
  readonly toolList: ToolList
  /** Logged names that are not registered. */
  readonly missing: readonly string[]
}

/**
 * Activates the tools of a new or opened session; closes the list if that fails.
 * @param further the names that are active by default, beside those of the settings
 * @throws Failure `bad_request` for a requested or configured name that is not registered
 */
export function activateChosen(
  toolList: ToolList,
  { configured, further = [], ...names }: Omit<ToolChoice, 'registry'> & { readonly further?: readonly string[] },
): ChosenList {
  const registry = toolList.built.registered
  const isKnown = (name: string): boolean => registry.some((tool) => tool.name === name)
  const usual = [...(configured ?? defaultActiveTools.filter(isKnown)), ...further.filter(isKnown)]
  try {
    const { tools, missing } = chooseTools({ ...names, registry, configured: usual })
    toolList.change({ policy: { ...toolList.inputs.policy, names: tools.map(({ name }) => name) } })
    return { toolList, missing }
  } catch (thrown) {
    toolList.close()
    throw thrown
  }
}

/** @throws Failure as `change` */
export function createToolList(initial: ToolInputs, layers: Partial<ToolLayers> = {}): ToolList {
  const unprompted$ = new Subject<UnpromptedChange>()
  let inputs = initial
  let isClosed = false
  const connection = connectLayers(layers, (result) => {
    if (result instanceof Failure) {
      unprompted$.next({ failure: result })
      return
    }
    const before = built
    built = result
    unprompted$.next({ before, after: result })
  })
  let built = connection.build(inputs)
  return {
    get built() {
      return built
    },
    get inputs() {
      return inputs
    },
    change: (changed) => {
      if (isClosed) return
      const next = { ...inputs, ...changed }
      built = connection.build(next)
      inputs = next
    },
    unprompted$: unprompted$.asObservable(),
    close: () => {
      isClosed = true
      connection.close()
      unprompted$.complete()
    },
  }
}

interface LayerConnection {
  /** @throws Failure of the layer that failed, or `bad_config` if nothing was emitted at once */
  build(inputs: ToolInputs): BuiltTools
  close(): void
}

/**
 * Subscribes the layers with the first build, and with the next build after they failed or ended. @param onUnprompted
 * called with what comes between two builds
 */
function connectLayers(
  layers: Partial<ToolLayers>,
  onUnprompted: (result: BuiltTools | Failure) => void,
): LayerConnection {
  const inputs$ = new Subject<ToolInputs>()
  let subscription: Subscription | undefined
  let build: { result?: BuiltTools | Failure } | undefined

  const onResult = (result: BuiltTools | Failure): void => {
    if (build === undefined) onUnprompted(result)
    else build.result = result
  }
  const onEnd = (failure: Failure): void => {
    subscription = undefined
    onResult(failure)
  }
  const connect = (): Subscription | undefined => {
    const connected = inputs$.pipe(toolPipeline(layers)).subscribe({
      next: onResult,
      error: (error: unknown) => onEnd(Failure.from(error, 'bad_config')),
      complete: () => onEnd(silentFailure('ended')),
    })
    return connected.closed ? undefined : connected
  }
  const close = (): void => {
    subscription?.unsubscribe()
    subscription = undefined
  }
  return {
    build: (inputs) => {
      if (build !== undefined) throw new Failure('bad_config', 'A layer changed the tools while they were built')
      const current: { result?: BuiltTools | Failure } = {}
      build = current
      try {
        subscription ??= connect()
        inputs$.next(inputs)
      } finally {
        build = undefined
      }
      const { result = silentFailure('emitted no tools') } = current
      if (!(result instanceof Failure)) return result
      close() // a late draft would be one of the refused inputs
      throw result
    },
    close,
  }
}

function silentFailure(fault: string): Failure {
  return new Failure(
    'bad_config',
    `A layer of the session's tools ${fault}: it has to emit one draft for each draft, at once`,
  )
}
