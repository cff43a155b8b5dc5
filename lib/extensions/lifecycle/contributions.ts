// Gathers what the extensions of one session registered, by kind.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { HookAnswer, BeforeToolCallAnswer, ToolCallHookInput, StopRule } from '../../streams/ports/hooks.ts'
import type { PromptTransform } from '../../streams/ports/prompt-sections.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ExtensionCommand } from '../api/extension-api.ts'
import type { ExtensionHook, HookName } from '../api/extension-hooks.ts'
import type { HeldSurface } from '../surfaces/held-surface.ts'
import type { AnyRenderer, KeyBinding, ThemeDefinition } from '../api/extension-ui.ts'
import { registry } from './contribution-registry.ts'
import type { NamedEndpoint } from '../api/models-contract.ts'
import type { Entry, Registry } from './contribution-registry.ts'

/** An awaited or observed function with its time limit in milliseconds. */
export interface TimedHook<Hook> {
  readonly hook: Hook
  readonly limitMs: number
}

/** A registered hook. */
export type HookEntry<Hook> = Entry<TimedHook<Hook>>

export type Tighten = (input: ToolCallHookInput) => HookAnswer<Pick<BeforeToolCallAnswer, 'block' | 'ask'>>

export type HookRegistries = { readonly [Name in HookName]: Registry<TimedHook<ExtensionHook<Name>>> }

export interface Contributions {
  readonly tools: Registry<AnyTool>
  readonly commands: Registry<ExtensionCommand>
  /** Absolute paths of files and folders. */
  readonly skills: Registry<string>
  readonly templates: Registry<string>
  readonly hooks: HookRegistries
  readonly transforms: Registry<ContextTransform>
  readonly sections: Registry<PromptTransform>
  readonly stopRules: Registry<StopRule>
  readonly tighten: Registry<TimedHook<Tighten>>
  readonly models: Registry<ProviderModel>
  readonly endpoints: Registry<NamedEndpoint>
  readonly surfaces: Registry<HeldSurface>
  readonly statuses: Registry<{ readonly key: string; readonly text: string }>
  readonly keys: Registry<KeyBinding>
  readonly themes: Registry<ThemeDefinition>
  readonly renderers: Registry<AnyRenderer>
}

export function contributions(): Contributions {
  return {
    tools: registry(),
    commands: registry(),
    skills: registry(),
    templates: registry(),
    hooks: {
      input: registry(),
      before_agent_start: registry(),
      context: registry(),
      before_request: registry(),
      after_response: registry(),
      tool_call: registry(),
      tool_result: registry(),
      user_bash: registry(),
      message_end: registry(),
      turn_start: registry(),
      turn_end: registry(),
      agent_end: registry(),
      agent_settled: registry(),
      session_start: registry(),
      session_switch: registry(),
      before_switch: registry(),
      before_branch: registry(),
      branch: registry(),
      compact: registry(),
      model_select: registry(),
      shutdown: registry(),
    },
    transforms: registry(),
    sections: registry(),
    stopRules: registry(),
    tighten: registry(),
    models: registry(),
    endpoints: registry(),
    surfaces: registry(),
    statuses: registry(),
    keys: registry(),
    themes: registry(),
    renderers: registry(),
  }
}
