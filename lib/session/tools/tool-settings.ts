// Changes the tools of the next request: each change is one build of the tools, and one event.
import { Failure } from '../../streams/values/failure.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { searchToolsName, useToolName } from '../../streams/messages/inner-call.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import type { BuiltTools } from '../../operators/tool-pipeline/tool-pipeline.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import { activeTools } from './active-tools.ts'
import { requestTools } from './request-tools.ts'
import type { DiscoveryPorts, RequestTools } from './request-tools.ts'

export interface BaseToolsOptions {
  /** Default: `extension`. */
  readonly by?: 'extension' | 'server'
  /** Whether a tool of a new name becomes active. Default: every one. */
  isWelcome?(tool: AnyTool): boolean
}

export interface ToolChanges {
  /** The tools that can be active. */
  registered(): readonly AnyTool[]
  /** @throws Failure `bad_request` naming the tools there are */
  setActiveTools(names: readonly string[], by?: 'client' | 'tool'): EventNamed<'active_tools_change'>
  /**
   * Registers tools in place of others. An added tool is active if it is new, or replaces an active one. Returns undefined
   * if the active names stay the same.
   * @throws Failure `bad_request` if a name is taken
   */
  exchangeTools(removed: readonly AnyTool[], added: readonly AnyTool[]): EventNamed<'active_tools_change'> | undefined
  /**
   * Sets the base tools. Welcome tools of new names become active, those of names that are gone do not stay. Returns undefined if
   * the active names stay the same.
   */
  setBaseTools(base: readonly AnyTool[], options?: BaseToolsOptions): EventNamed<'active_tools_change'> | undefined
  /** A layer of the tools emitted by itself. Returns undefined if the active names stay the same. */
  toolsChanged(before: readonly AnyTool[]): EventNamed<'active_tools_change'> | undefined
}

export interface ToolSettings extends RequestTools {
  /** The settings of the session; builds the tools if they list others. */
  openedSettings(): RequestSettings
  active(): readonly AnyTool[]
  /** The prompt for the tools of the next request. @param opened the prompt for the tools at opening */
  systemPrompt(opened: string): string
  readonly changes: ToolChanges
}

export function toolSettings(parts: SessionParts, toolList: ToolList, discoveryPorts: DiscoveryPorts): ToolSettings {
  const { settings, registry, sectionsFor } = parts
  const promptOf = promptCache(sectionsFor)
  let hasOtherTools = false // than at opening
  let followed: readonly AnyTool[] | undefined

  /** Without a list of its own, the session has the tools of its settings, which may change. */
  const openedSettings = (): RequestSettings => {
    const opened = settings()
    const { tools } = opened
    if (parts.toolList !== undefined || isSameList(tools, followed)) return opened
    const names = hasOtherTools ? {} : { policy: { ...toolList.inputs.policy, names: namesOf(tools) } }
    toolList.change({ base: registry === undefined ? tools : [...registry, ...tools], ...names })
    followed = tools
    return opened
  }
  const built = (): BuiltTools => {
    if (followed === undefined) openedSettings()
    return toolList.built
  }
  const active = (): readonly AnyTool[] => {
    openedSettings()
    return toolList.built.active
  }
  const { list, choose, ...request } = requestTools(parts, toolList, {
    ...discoveryPorts,
    active,
    starting: parts.servers?.starting,
  })
  return {
    openedSettings,
    active,
    ...request,
    systemPrompt: (opened) => (hasOtherTools ? (promptOf(list().listed) ?? opened) : opened),
    changes: changesOf(toolList, {
      ...{ built, choose, hasUseTool: request.hasUseTool },
      onOtherTools: () => (hasOtherTools = true),
    }),
  }
}

/** Joins the sections once for each list of tools. */
function promptCache(sectionsFor: SessionParts['sectionsFor']): (tools: readonly AnyTool[]) => string | undefined {
  let joined: { readonly tools: readonly AnyTool[]; readonly text: string } | undefined
  return (tools) => {
    if (sectionsFor === undefined) return undefined
    if (joined?.tools !== tools) joined = { tools, text: joinSections(sectionsFor(tools)) }
    return joined.text
  }
}

interface ChangePorts {
  built(): BuiltTools
  hasUseTool(): boolean
  /** Called with the names that a client switched on. */
  choose(names: readonly string[]): void
  onOtherTools(): void
}

function changesOf(toolList: ToolList, { built, hasUseTool, choose, onOtherTools }: ChangePorts): ToolChanges {
  return {
    registered: () => built().registered,
    setActiveTools: (names, by = 'client') => {
      const { registered, active } = built()
      toolList.change({ policy: { ...toolList.inputs.policy, names: namesOf(activeTools(registered, names)) } })
      if (by === 'client') choose(names.filter((name) => !active.some((tool) => tool.name === name)))
      onOtherTools()
      return toolsChange(active, toolList.built.active, by)
    },
    exchangeTools: (removedTools, addedTools) => {
      const { registered, active } = built()
      const { channel, policy } = toolList.inputs
      const remaining = channel.filter((tool) => !removedTools.includes(tool))
      const [removed, added] = [new Set(namesOf(removedTools)), namesOf(addedTools)]
      const others = namesOf(registered).filter((name) => !removed.has(name))
      checkNamesFree(added, hasUseTool() ? [...others, useToolName, searchToolsName] : others)
      const names = exchange(namesOf(active), removed, added)
      toolList.change({ channel: [...remaining, ...addedTools], policy: { ...policy, names } })
      if (added.length > 0 || active.length !== names.length) onOtherTools()
      return toolsChangeIfAny(active, toolList.built.active, 'client')
    },
    setBaseTools: (base, { by = 'extension', isWelcome = () => true } = {}) => {
      const { registered, active } = built()
      const { runtime, channel, policy } = toolList.inputs
      const before = new Set(namesOf(registered))
      const after = new Set(namesOf([...base, ...runtime, ...channel]))
      const added = namesOf(base.filter((tool) => !before.has(tool.name) && isWelcome(tool)))
      const names = [...namesOf(active).filter((name) => after.has(name)), ...new Set(added)]
      toolList.change({ base, policy: { ...policy, names } })
      onOtherTools()
      return toolsChangeIfAny(active, toolList.built.active, by)
    },
    toolsChanged: (before) => {
      onOtherTools()
      return toolsChangeIfAny(before, toolList.built.active, 'server')
    },
  }
}

function toolsChange(
  before: readonly AnyTool[],
  after: readonly AnyTool[],
  by: 'client' | 'tool' | 'server' | 'extension',
): EventNamed<'active_tools_change'> {
  return { type: 'active_tools_change', from: namesOf(before), to: namesOf(after), by }
}

function toolsChangeIfAny(
  ...[before, after, by]: Parameters<typeof toolsChange>
): EventNamed<'active_tools_change'> | undefined {
  return isSameJson(namesOf(before), namesOf(after)) ? undefined : toolsChange(before, after, by)
}

/** @throws Failure `bad_request` */
function checkNamesFree(added: readonly string[], others: readonly string[]): void {
  const names = new Set(others)
  for (const name of added) {
    if (names.has(name)) throw new Failure('bad_request', `A tool "${name}" is already registered; choose another name`)
    names.add(name)
  }
}

/** A replacement takes the position of the replaced tool; new tools come last. */
function exchange(active: readonly string[], removed: ReadonlySet<string>, added: readonly string[]): string[] {
  const remaining = active.filter((name) => !removed.has(name) || added.includes(name))
  return [...remaining, ...added.filter((name) => !removed.has(name))]
}

/** Settings may list the same tools in a new array for each request. */
function isSameList(tools: readonly AnyTool[], others: readonly AnyTool[] | undefined): boolean {
  return tools === others || (tools.length === others?.length && tools.every((tool, index) => tool === others[index]))
}

function namesOf(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name }) => name)
}
