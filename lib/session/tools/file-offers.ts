// Holds the files that clients offer to a session; tools use those of the last client.
import type { ClientFiles, FilesOffer } from '../../streams/environment/file-exchange.ts'

export interface FileOffers {
  /** Undefined: no client offers files, and tools use the disk. */
  current(): ClientFiles | undefined
  /** The files are used in place of earlier ones, until the returned function is called. A second call does nothing. */
  offer(offer: FilesOffer): () => void
}

export function fileOffers(): FileOffers {
  let offers: readonly FilesOffer[] = []
  return {
    current: () => offers.at(-1)?.files,
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
