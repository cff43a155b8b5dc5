// What the next request uses: what the session was opened with, as commands have changed it; each change is one event.
import { modelName } from '../streams/model.ts'
import type { EventNamed } from '../streams/event.ts'
import type { ProviderModel } from '../streams/provider.ts'
import type { ThinkingLevel } from '../streams/thinking-level.ts'
import type { AnyTool } from '../streams/tool.ts'
import type { RequestSettings } from '../operators/run-ports.ts'
import { activeTools } from './active-tools.ts'
import type { SessionParts } from './session-parts.ts'

export interface SessionSettings {
  /** Asked anew for each request. */
  current(): RequestSettings
  setModel(chosen: ProviderModel): EventNamed<'model_change'>
  setThinkingLevel(level: ThinkingLevel): EventNamed<'thinking_level_change'>
  /** @throws Failure `bad_request` naming the tools there are */
  setActiveTools(names: readonly string[]): EventNamed<'active_tools_change'>
}

/** State first: the change holds when its event is made. */
export function sessionSettings({ settings, registry, systemFor }: SessionParts): SessionSettings {
  let model: ProviderModel | undefined
  let thinkingLevel: ThinkingLevel | undefined
  let tools: readonly AnyTool[] | undefined

  const current = (): RequestSettings => {
    const opened = settings()
    return {
      ...(model ?? opened),
      thinkingLevel: thinkingLevel ?? opened.thinkingLevel,
      tools: tools ?? opened.tools,
      system: tools === undefined || systemFor === undefined ? opened.system : systemFor(tools),
    }
  }
  return {
    current,
    setModel: (chosen) => {
      const from = modelName(current().model)
      model = chosen
      return { type: 'model_change', from, to: modelName(chosen.model), by: 'client' }
    },
    setThinkingLevel: (to) => {
      const from = current().thinkingLevel
      thinkingLevel = to
      return { type: 'thinking_level_change', from, to, by: 'client' }
    },
    setActiveTools: (names) => {
      const before = current().tools
      tools = activeTools(registry ?? settings().tools, names)
      return { type: 'active_tools_change', from: namesOf(before), to: namesOf(tools), by: 'client' }
    },
  }
}

function namesOf(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name }) => name)
}
