// Holds the settings of the next request; each change is one event.
import { modelName } from '../../streams/models/model.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { strictestMode } from '../../streams/ports/policy.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import { toolSettings } from '../tools/tool-settings.ts'
import type { ToolChanges, ToolSettings } from '../tools/tool-settings.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ToolList } from '../contract/tool-list-port.ts'

export interface SessionSettings
  extends ToolChanges, Pick<ToolSettings, 'active' | 'freeze' | 'thaw' | 'hasUseTool' | 'dueNote'> {
  /** The settings of the next request. */
  current(): RequestSettings
  /** Why there is no usable model; undefined if there is one. */
  unusable(): Failure | undefined
  /** @param by default `client` */
  setModel(chosen: ProviderModel, by?: 'client' | 'server'): EventNamed<'model_change'>
  setThinkingLevel(level: ThinkingLevel): EventNamed<'thinking_level_change'>
  /** Which tool calls ask; undefined without a policy. */
  approvalMode(): ApprovalMode | undefined
  /** @throws Failure `bad_request` without a policy */
  setApprovalMode(mode: ApprovalMode): EventNamed<'approval_mode_change'>
}

/** State first: a change holds before its event is published. */
export function sessionSettings(
  parts: SessionParts,
  toolList: ToolList,
  recorded: Pick<SessionState, 'approvalMode'> = {},
): SessionSettings {
  const { unusable, options } = parts
  let model: ProviderModel | undefined
  let thinkingLevel: ThinkingLevel | undefined
  const { changes, openedSettings, sent, systemPrompt, ...tools } = toolSettings(parts, toolList)

  const current = (): RequestSettings => {
    const opened = openedSettings()
    return {
      ...(model ?? opened),
      thinkingLevel: thinkingLevel ?? opened.thinkingLevel,
      tools: sent(),
      system: systemPrompt(opened.system),
    }
  }
  return {
    current,
    unusable: () => (model === undefined ? unusable : undefined),
    ...changes,
    ...tools,
    setModel: (chosen, by = 'client') => {
      const isFirst = model === undefined && unusable !== undefined
      const from = isFirst ? {} : { from: modelName(current().model) }
      if (from.from !== modelName(chosen.model)) tools.thaw()
      model = chosen
      return { type: 'model_change', ...from, to: modelName(chosen.model), by, ...windowOf(chosen) }
    },
    setThinkingLevel: (to) => {
      const from = current().thinkingLevel
      thinkingLevel = to
      return { type: 'thinking_level_change', from, to, by: 'client' }
    },
    ...approvalSetting(options, recorded),
  }
}

/** A recorded mode may tighten the default; it never loosens it. */
function approvalSetting(
  { policy, approvalMode: configured }: SessionParts['options'],
  recorded: Pick<SessionState, 'approvalMode'>,
): Pick<SessionSettings, 'approvalMode' | 'setApprovalMode'> {
  let mode = policy && (configured ?? strictestMode('writes', recorded.approvalMode))
  return {
    approvalMode: () => mode,
    setApprovalMode: (to) => {
      if (mode === undefined) throw noPolicyFailure()
      const from = mode
      mode = to
      return { type: 'approval_mode_change', from, to, by: 'client' }
    },
  }
}

function noPolicyFailure(): Failure {
  return new Failure('bad_request', 'This session has no policy: its option `approve` decides about tool calls')
}

function windowOf({ model: { contextWindow } }: ProviderModel): { readonly contextWindow?: number } {
  return contextWindow === undefined ? {} : { contextWindow }
}
