// Holds what requests and notes have of the active tools: the frozen list, and what is left out.
import type { ContextNote } from '../../streams/ports/context-notes.ts'
import { searchToolsName, useToolName } from '../../streams/messages/inner-call.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { withSchemas } from '../../operators/tool-pipeline/normalise-schemas.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import { createSentTools, unfrozenTools } from './sent-tools.ts'
import type { SentList, SentTools } from './sent-tools.ts'
import { createToolDiscovery, noDiscovery, usualPercent } from './tool-discovery.ts'
import type { DiscoveryParts, ToolDiscovery } from './tool-discovery.ts'
import { toolNotes } from './tool-notes.ts'

/** For leaving tools out of requests. */
export type DiscoveryPorts = Pick<DiscoveryParts, 'found' | 'window' | 'onFound' | 'starting'>

export interface RequestTools {
  /** The tools of the next request. */
  sent(): readonly AnyTool[]
  /** The tools that the model knows: those of the list and of the notes. */
  visible(): readonly AnyTool[]
  /** The active tools that requests leave out: `search_tools` finds them. */
  unlisted(): readonly AnyTool[]
  /** Called for each request. */
  freeze(): void
  /** The next request lists the tools that are active then: nothing of the old prefix is cached any more. */
  thaw(): void
  /** True if calls of `use_tool` are run as the calls that they name. */
  hasUseTool(): boolean
  /** The note about tools that joined or left; undefined if the conversation has it. */
  dueNote(messages: readonly Message[]): ContextNote['note'] | undefined
}

/** For the session's own settings. */
interface TrackedTools extends RequestTools, Pick<ToolDiscovery, 'choose'> {
  list(): SentList
}

export function requestTools(
  parts: Pick<SessionParts, 'options' | 'createToolSearch'>,
  toolList: ToolList,
  ports: DiscoveryPorts & Pick<DiscoveryParts, 'active'>,
): TrackedTools {
  const { active } = ports
  const sentTools = sentToolsOf(parts.options, toolList)
  const discovery = discoveryOf(parts, toolList, sentTools, ports)
  const notes = toolNotes()
  const visible = (): readonly AnyTool[] => discovery().visible(active())
  const list = (): SentList => sentTools().listFor(visible())
  const hasUseTool = (): boolean => sentTools() !== unfrozenTools
  return {
    list,
    choose: (names) => discovery().choose(names),
    sent: () => list().sent,
    visible,
    unlisted: () => discovery().unlisted(active()),
    freeze: () => {
      sentTools().freeze(visible())
      discovery().commit(active())
    },
    thaw: () => {
      sentTools().thaw()
      discovery().thaw()
    },
    hasUseTool,
    dueNote: (messages) =>
      hasUseTool() ? notes.due(messages, { listed: list().listed, visible: visible(), active: active() }) : undefined,
  }
}

/** Made at the first use. A tool of its own with the name of the constant one takes its place: nothing is frozen then. */
function sentToolsOf({ freezeTools = false }: SessionOptions, toolList: ToolList): () => SentTools {
  let made: SentTools | undefined = freezeTools ? undefined : unfrozenTools
  return () => {
    const { schemas } = toolList.inputs
    const hasOwn = toolList.built.registered.some(({ name }) => name === useToolName)
    made ??= hasOwn ? unfrozenTools : createSentTools((tool) => (schemas ? withSchemas(tool, schemas) : tool))
    return made
  }
}

/** Made at the first use. A tool of its own with the name of `search_tools` takes its place: nothing is left out then. */
function discoveryOf(
  { options, createToolSearch: createSearch }: Pick<SessionParts, 'options' | 'createToolSearch'>,
  toolList: ToolList,
  sentTools: () => SentTools,
  ports: DiscoveryPorts & Pick<DiscoveryParts, 'active'>,
): () => ToolDiscovery {
  const { toolDiscovery: setting = usualPercent, listedTools: listed = [] } = options
  let made: ToolDiscovery | undefined
  return () => {
    const { schemas } = toolList.inputs
    const hasOwn = toolList.built.registered.some(({ name }) => name === searchToolsName)
    made ??=
      sentTools() === unfrozenTools || hasOwn || createSearch === undefined
        ? noDiscovery
        : createToolDiscovery({ ...ports, setting, listed, createSearch, prepare: (tool) => (schemas ? withSchemas(tool, schemas) : tool) }) // prettier-ignore
    return made
  }
}
