// Tools that come and go with whoever offers them: registered and active from the offer to its withdrawal, and each change is an event.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { Offer, OfferTools } from '../contract/session.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionSettings } from './session-settings.ts'

export interface OfferingParts {
  readonly log: Pick<SessionLog, 'readOnly'>
  readonly settings: Pick<SessionSettings, 'exchangeTools'>
  readonly pipeline: Pick<Pipeline, 'push'>
}

export function offerTools({ log, settings, pipeline }: OfferingParts): OfferTools {
  const offered = new Map<Offer, readonly AnyTool[]>()
  const tell = (event: AgentEvent | undefined): void => {
    if (event !== undefined) pipeline.push({ event })
  }
  return (tools, instead, changed) => {
    if (log.readOnly !== undefined) throw log.readOnly
    const before = instead === undefined ? [] : (offered.get(instead) ?? [])
    const offer: Offer = {
      withdraw: () => {
        const own = offered.get(offer)
        if (own === undefined) return
        offered.delete(offer)
        tell(settings.exchangeTools(own, []))
      },
    }
    const event = settings.exchangeTools(before, tools)
    if (instead !== undefined) offered.delete(instead)
    offered.set(offer, tools)
    changed?.()
    tell(event)
    return offer
  }
}
