// Holds what clients offer to a session, such as their files; tools use the offer of the last client.

/** An offer of one client. */
export interface ClientOffer {
  /** Another client's offer is used in place of this one, or this one is used again. */
  onReplaced?(isReplaced: boolean): void
}

export interface ClientOffers<Offer extends ClientOffer> {
  /** Undefined: no client offers anything. */
  current(): Offer | undefined
  /** The offer is used in place of earlier ones, until the returned function is called. A second call does nothing. */
  offer(offer: Offer): () => void
}

export function clientOffers<Offer extends ClientOffer>(): ClientOffers<Offer> {
  let offers: readonly Offer[] = []
  return {
    current: () => offers.at(-1),
    offer: (own) => {
      const replaced = offers.at(-1)
      offers = [...offers, own]
      replaced?.onReplaced?.(true)
      return () => {
        const wasUsed = offers.at(-1) === own
        if (!offers.includes(own)) return
        offers = offers.filter((each) => each !== own)
        if (wasUsed) offers.at(-1)?.onReplaced?.(false)
      }
    },
  }
}
