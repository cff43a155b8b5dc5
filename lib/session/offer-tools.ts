// Tools that come and go with whoever offers them: registered and active from the offer to its withdrawal, and each change is an event.
import type { AgentEvent } from '../streams/event.ts'
import type { SessionLog } from '../streams/session-log.ts'
import type { AnyTool } from '../streams/tool.ts'
import type { Pipeline } from './pipeline.ts'
import type { SessionSettings } from './session-settings.ts'

export interface Offer {
  /** The tools are neither registered nor active any more. A second call does nothing. */
  withdraw(): void
}

/**
 * Adds tools, in the place of those of `instead`, if given, which is withdrawn by that.
 * @param changed called when the tools are exchanged, before the event tells it; never where the offer is refused
 * @throws Failure `bad_request` where a name is taken, or what the log's `readOnly` says
 */
export type OfferTools = (tools: readonly AnyTool[], instead?: Offer, changed?: () => void) => Offer

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
