// Holds the settings of the next request; each change is one event.
import { Failure } from '../../streams/values/failure.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { strictestMode } from '../../streams/ports/policy.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import { toolSettings } from '../tools/tool-settings.ts'
import { modelSettings } from './model-settings.ts'
import type { ChosenModel, ModelChanges } from './model-settings.ts'
import type { ToolChanges, ToolSettings } from '../tools/tool-settings.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ToolList } from '../contract/tool-list-port.ts'

type ExposedTools = 'active' | 'visible' | 'unlisted' | 'freeze' | 'thaw' | 'hasUseTool' | 'dueNote'

export interface SessionSettings extends ToolChanges, ModelChanges, Pick<ToolSettings, ExposedTools> {
  /** The settings of the next request. */
  current(): RequestSettings
  /** The same without a model of the run alone. */
  own(): RequestSettings
  /** Which tool calls ask; undefined without a policy. */
  approvalMode(): ApprovalMode | undefined
  /** @throws Failure `bad_request` without a policy */
  setApprovalMode(mode: ApprovalMode): EventNamed<'approval_mode_change'>
}

/** State first: a change holds before its event is published. @param onFound called with tools that a search found first */
export function sessionSettings(
  parts: SessionParts,
  toolList: ToolList,
  recorded: Pick<SessionState, 'approvalMode' | 'foundTools'> = {},
  onFound: (names: readonly string[]) => void = () => undefined,
): SessionSettings {
  const { unusable, options } = parts
  const { changes, openedSettings, sent, systemPrompt, ...tools } = toolSettings(parts, toolList, {
    ...{ found: recorded.foundTools ?? [], onFound },
    window: () => models.current().model.contextWindow,
  })
  const models = modelSettings({ openedSettings, unusable, pendingModel: parts.pendingModel, onOtherModel: tools.thaw })
  const withModel = (chosen: ChosenModel): RequestSettings => ({
    ...chosen,
    tools: sent(),
    system: systemPrompt(openedSettings().system),
  })
  return {
    current: () => withModel(models.current()),
    own: () => withModel(models.own()),
    ...changes,
    ...tools,
    ...models.changes,
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
