// Holds the state of one module of pi in one session: what it registered, and what it wrote.
import type { ExtensionApi } from '../../api/extension-api.ts'
import type { Registration } from '../../api/registration.ts'
import type { Model } from '../../../streams/models/model.ts'
import type { PiCommand, PiFlag, PiHandler, PiRenderer, PiShortcut } from './pi-registrations.ts'
import type { PiMessage, PiRecord, PiTool } from './pi-shapes.ts'
import type { PiLimits } from './pi-limits.ts'

/** An entry that a module wrote; it stands behind an entry of the conversation. */
export interface PiOwnEntry {
  readonly id: string
  /** The entry of the conversation before it; null at the start. */
  readonly after: string | null
  readonly time: number
  readonly customType: string
  /** Set if models receive it. */
  readonly message?: PiMessage
  readonly data?: unknown
}

/** A message of a module that went into the conversation as an input of the user. */
export interface PiSentMessage {
  readonly message: PiMessage & { readonly customType: string }
  readonly text: string
}

export interface PiSkill {
  readonly name: string
  readonly description: string
  readonly path: string
}

/** Changes in place, as the module registers and the session goes on. */
export interface PiRuntime {
  readonly api: ExtensionApi<PiConfig>
  /** The module's file. */
  readonly path: string
  /** The environment of the session. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly limits: PiLimits
  readonly handlers: Map<string, PiHandler[]>
  readonly tools: Map<string, PiTool>
  readonly commands: Map<string, PiCommand>
  readonly shortcuts: Map<string, PiShortcut>
  readonly flags: Map<string, PiFlag>
  /** Models that it offers, by the name of the provider. */
  readonly providers: Map<string, readonly Registration[]>
  /** The models of each. */
  readonly offered: Map<string, readonly Model[]>
  readonly messageRenderers: Map<string, PiRenderer>
  readonly entryRenderers: Map<string, PiRenderer>
  readonly entries: PiOwnEntry[]
  readonly sent: PiSentMessage[]
  /** Texts that the module sends as the user, until the session has accepted them. */
  readonly ownInputs: Set<string>
  /** Messages that follow the next prompt. */
  readonly afterPrompt: PiMessage[]
  /** Messages that follow the turn that is on: between a call and its result there is no place. */
  readonly afterTurn: PiMessage[]
  /** Skills that handlers of `resources_discover` found. */
  readonly skills: PiSkill[]
  /** True while handlers of `session_start` run: a client may attach a moment later. */
  isStarting: boolean
  /** True after `agent_end` until the next message. */
  hasEnded: boolean
  /** Of the last request. */
  model: Model | undefined
  system: string
  /** The prompt that handlers of `before_agent_start` made for this run. */
  promptChange: ((system: string) => string) | undefined
  /** The summary of a handler of `session_before_tree` for the branch that is being left. */
  branchSummary: string | undefined
  /** Texts of the status row that the module has set. */
  readonly statuses: Map<string, string>
  /** Open questions by their id, as the events about them describe them. */
  readonly openPrompts: Map<string, PiRecord>
  /** The context of handlers. */
  context: PiRecord
  /** Argument of the module. */
  pi: PiRecord
}

export interface PiConfig {
  /** Values of the flags that the module registers. */
  readonly flags?: Readonly<Record<string, boolean | string>>
}
