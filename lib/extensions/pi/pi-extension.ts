// Makes a module written for pi an extension of rxpi.
import { Subject, tap } from 'rxjs'
import { Type } from '@sinclair/typebox'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import { capabilities } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { ExtensionDefinition } from '../api/define-extension.ts'
import type { ExtensionApi } from '../api/extension-api.ts'
import type { SessionLink } from './contract/session-link.ts'
import type { PiConfig, PiRuntime } from './contract/pi-runtime.ts'
import type { PiFactory } from './contract/pi-registrations.ts'
import { piLimits } from './contract/pi-limits.ts'
import { listenToEvents } from './runtime/listen-events.ts'
import { piApi } from './runtime/pi-api.ts'
import { complete } from './runtime/model-registry.ts'
import { piContext } from './runtime/pi-context.ts'

export interface PiExtensionOptions {
  readonly name: string
  /** Default: `0.0.0`. */
  readonly version?: string
  /** The module's file. */
  readonly path: string
  /** Built-in tools that it may replace: those of its trust record. Default: none. */
  readonly replaces?: readonly string[]
  /** That of the names which the module imported. Default: one of its own. */
  readonly link?: SessionLink
  /** The environment of the session, for `$NAME` in keys. Default: that of the process. */
  readonly variables?: PiRuntime['variables']
}

/**
 * The extension that a module of pi exports as a function. It may do everything that an extension can: pi's modules declare no
 * capabilities.
 * @throws Failure `bad_config` if the module exports no function
 */
export function piExtension(
  exported: unknown,
  { name, version = '0.0.0', path, replaces = [], link = {}, variables = process.env }: PiExtensionOptions,
): ExtensionDefinition {
  if (typeof exported !== 'function')
    throw new Failure('bad_config', `${path} exports no function, as a module of pi does`)
  const factory = exported as PiFactory // pi's signature
  const flags = Type.Optional(Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.String()])))
  return {
    name,
    version,
    replaces,
    capabilities,
    config: Type.Object({ flags }),
    setup: (api) => setUp(factory, { path, link, variables }, api as ExtensionApi<PiConfig>), // the schema above
  }
}

/** A module that answers at once is set up at once. */
function setUp(
  factory: PiFactory,
  { path, link, variables }: Required<Pick<PiExtensionOptions, 'path' | 'link' | 'variables'>>,
  api: ExtensionApi<PiConfig>,
): Promise<void> | undefined {
  const own$ = new Subject<EventNamed<'custom'>>()
  api.events.derive(() => own$)
  const publish = (event: EventNamed<'custom'>): void => {
    own$.next(event)
  }
  const runtime = piRuntime({ path, variables }, api)
  runtime.context = piContext(runtime)
  link.complete = (model, context, options) => complete(runtime, model, context, options)
  api.context.sections(
    tap((sections) => {
      runtime.system = joinSections(sections)
    }),
  )
  runtime.pi = piApi(runtime, publish)
  const answer = factory(runtime.pi)
  if (answer instanceof Promise) return answer.then(() => listenToEvents(runtime, publish))
  listenToEvents(runtime, publish)
  return undefined
}

function piRuntime({ path, variables }: Pick<PiRuntime, 'path' | 'variables'>, api: ExtensionApi<PiConfig>): PiRuntime {
  return {
    ...{ api, path, variables },
    limits: piLimits((text) => {
      api.ui.notify(text, 'warning')
    }),
    handlers: new Map(),
    tools: new Map(),
    commands: new Map(),
    shortcuts: new Map(),
    flags: new Map(),
    providers: new Map(),
    offered: new Map(),
    messageRenderers: new Map(),
    entryRenderers: new Map(),
    entries: [],
    sent: [],
    ownInputs: new Set(),
    afterPrompt: [],
    afterTurn: [],
    skills: [],
    isStarting: false,
    hasEnded: false,
    model: undefined,
    system: '',
    promptChange: undefined,
    branchSummary: undefined,
    statuses: new Map(),
    openPrompts: new Map(),
    context: {},
    pi: {},
  }
}
