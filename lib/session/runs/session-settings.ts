// Holds the settings of the next request; each change is one event.
import { modelName } from '../../streams/models/model.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { EventNamed, AgentEvent } from '../../streams/events/event.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { strictestMode } from '../../streams/ports/policy.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import { activeTools } from './active-tools.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { Offer, OfferTools } from '../contract/session.ts'
import type { SessionBus } from '../pipeline/pipeline.ts'

export interface SessionSettings {
  /** The settings of the next request. */
  current(): RequestSettings
  /** Why there is no usable model; undefined if there is one. */
  unusable(): Failure | undefined
  /** The tools that can be active. */
  registered(): readonly AnyTool[]
  /** @param by default `client` */
  setModel(chosen: ProviderModel, by?: 'client' | 'server'): EventNamed<'model_change'>
  setThinkingLevel(level: ThinkingLevel): EventNamed<'thinking_level_change'>
  /** Which tool calls ask; undefined without a policy. */
  approvalMode(): ApprovalMode | undefined
  /** @throws Failure `bad_request` without a policy */
  setApprovalMode(mode: ApprovalMode): EventNamed<'approval_mode_change'>
  /** @throws Failure `bad_request` naming the tools there are */
  setActiveTools(names: readonly string[], by?: 'client' | 'tool'): EventNamed<'active_tools_change'>
  /**
   * Registers tools in place of others. An added tool is active if it is new, or replaces an active one. Returns undefined
   * if the active names stay the same.
   * @throws Failure `bad_request` if a name is taken
   */
  exchangeTools(removed: readonly AnyTool[], added: readonly AnyTool[]): EventNamed<'active_tools_change'> | undefined
}

/** State first: a change holds before its event is published. */
export function sessionSettings(
  { settings, unusable, registry, sectionsFor, options }: SessionParts,
  recorded: Pick<SessionState, 'approvalMode'> = {},
): SessionSettings {
  let model: ProviderModel | undefined
  let thinkingLevel: ThinkingLevel | undefined
  let tools: readonly AnyTool[] | undefined
  let added: readonly AnyTool[] = []

  const promptOf = promptCache(sectionsFor)
  const registered = (): readonly AnyTool[] => [...(registry ?? settings().tools), ...added]
  const current = (): RequestSettings => {
    const opened = settings()
    const system = tools === undefined ? opened.system : (promptOf(tools) ?? opened.system)
    const chosen = { thinkingLevel: thinkingLevel ?? opened.thinkingLevel, tools: tools ?? opened.tools }
    return { ...(model ?? opened), ...chosen, system }
  }
  return {
    current,
    unusable: () => (model === undefined ? unusable : undefined),
    registered,
    setModel: (chosen, by = 'client') => {
      const isFirst = model === undefined && unusable !== undefined
      const from = isFirst ? {} : { from: modelName(current().model) }
      model = chosen
      return { type: 'model_change', ...from, to: modelName(chosen.model), by, ...windowOf(chosen) }
    },
    setThinkingLevel: (to) => {
      const from = current().thinkingLevel
      thinkingLevel = to
      return { type: 'thinking_level_change', from, to, by: 'client' }
    },
    ...approvalSetting(options, recorded),
    setActiveTools: (names, by = 'client') => {
      const before = current().tools
      tools = activeTools(registered(), names)
      return toolsChange(before, tools, by)
    },
    exchangeTools: (removedTools, addedTools) => {
      const others = registered().filter((tool) => !removedTools.includes(tool))
      checkNamesFree(addedTools, others)
      const before = current().tools
      added = [...added.filter((tool) => !removedTools.includes(tool)), ...addedTools]
      const next = exchange(before, removedTools, addedTools)
      if (addedTools.length > 0 || before.length !== next.length) tools = next
      return isSameJson(namesOf(before), namesOf(next)) ? undefined : toolsChange(before, next, 'client')
    },
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

function toolsChange(
  before: readonly AnyTool[],
  after: readonly AnyTool[],
  by: 'client' | 'tool',
): EventNamed<'active_tools_change'> {
  return { type: 'active_tools_change', from: namesOf(before), to: namesOf(after), by }
}

function windowOf({ model: { contextWindow } }: ProviderModel): { readonly contextWindow?: number } {
  return contextWindow === undefined ? {} : { contextWindow }
}

/** @throws Failure `bad_request` */
function checkNamesFree(addedTools: readonly AnyTool[], others: readonly AnyTool[]): void {
  const names = new Set(namesOf(others))
  for (const { name } of addedTools) {
    if (names.has(name)) throw new Failure('bad_request', `A tool "${name}" is already registered; choose another name`)
    names.add(name)
  }
}

/** A replacement takes the position of the replaced tool; new tools come last. */
function exchange(
  active: readonly AnyTool[],
  removedTools: readonly AnyTool[],
  addedTools: readonly AnyTool[],
): AnyTool[] {
  const named = new Map(addedTools.map((tool) => [tool.name, tool]))
  const remaining = active.flatMap((tool) => (removedTools.includes(tool) ? (named.get(tool.name) ?? []) : tool))
  const known = new Set(namesOf(removedTools))
  return [...remaining, ...addedTools.filter(({ name }) => !known.has(name))]
}

function namesOf(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name }) => name)
}

interface OfferingParts {
  readonly log: Pick<SessionLog, 'readOnly'>
  readonly settings: Pick<SessionSettings, 'exchangeTools'>
  readonly pipeline: Pick<SessionBus, 'publish'>
}

export function offerTools({ log, settings, pipeline }: OfferingParts): OfferTools {
  const offered = new Map<Offer, readonly AnyTool[]>()
  const publishIfChanged = (event: AgentEvent | undefined): void => {
    if (event !== undefined) pipeline.publish({ event })
  }
  return (tools, instead, changed) => {
    if (log.readOnly !== undefined) throw log.readOnly
    const before = instead === undefined ? [] : (offered.get(instead) ?? [])
    const offer: Offer = {
      withdraw: () => {
        const own = offered.get(offer)
        if (own === undefined) return
        offered.delete(offer)
        publishIfChanged(settings.exchangeTools(own, []))
      },
    }
    const event = settings.exchangeTools(before, tools)
    if (instead !== undefined) offered.delete(instead)
    offered.set(offer, tools)
    changed?.()
    publishIfChanged(event)
    return offer
  }
}
