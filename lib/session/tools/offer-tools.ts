// Publishes changes of a session's tools without a command: offers of clients, emitting layers.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Offer, OfferTools } from '../contract/session.ts'
import type { SessionBus } from '../pipeline/pipeline.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import type { ToolChanges } from './tool-settings.ts'

interface OfferingParts {
  readonly log: Pick<SessionLog, 'readOnly'>
  readonly settings: Pick<ToolChanges, 'exchangeTools'>
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

interface LayerParts {
  readonly log: Pick<SessionLog, 'readOnly'>
  readonly settings: Pick<ToolChanges, 'toolsChanged'>
  readonly toolList: Pick<ToolList, 'unprompted$'>
  readonly pipeline: Pick<SessionBus, 'publish'>
}

/** Publishes an event for what a layer does by itself: other active tools, or a failure, after which the tools stay. */
export function publishLayerChanges({ log, settings, toolList, pipeline }: LayerParts): void {
  toolList.unprompted$.subscribe((change) => {
    const event = 'failure' in change ? layerWarning(change.failure) : settings.toolsChanged(change.before.active)
    if (event !== undefined && log.readOnly === undefined) pipeline.publish({ event })
  })
}

function layerWarning({ message }: Failure): AgentEvent {
  return {
    type: 'warning',
    code: 'tool_layer_failed',
    message: `A layer of the tools failed: ${message}`,
    recoverable: true,
  }
}
