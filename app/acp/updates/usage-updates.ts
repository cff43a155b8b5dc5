// Counts the tokens in the context and the cost of a session, as ACP reports them.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { addUsage, noUsage } from '../../../lib/streams/messages/message.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'

/** The usage of one session. */
export class UsageUpdates {
  #window: number | undefined
  #used = 0
  #total: Usage

  /** @param total of the session so far @param window tokens of the model's context; absent: not known */
  constructor(total: Usage = noUsage, window?: number) {
    this.#total = total
    this.#window = window
  }

  take(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case 'model_change':
        this.#window = event.contextWindow
        return []
      case 'message_end':
        return event.message.role === 'assistant' ? this.#count(event.message.usage) : []
      case 'compaction':
        if (event.usage !== undefined) this.#total = addUsage(this.#total, event.usage)
        this.#used = event.tokensAfter
        return this.update()
      default:
        return []
    }
  }

  #count(usage: Usage): SessionUpdate[] {
    this.#total = addUsage(this.#total, usage)
    this.remember(usage)
    return this.update()
  }

  /** The tokens of the last request; they are in the total already. */
  remember(usage: Usage): void {
    const used = usage.input + usage.cacheRead + usage.cacheWrite + usage.output
    if (used > 0) this.#used = used
  }

  /** None without a window: ACP has no usage without one. */
  update(): SessionUpdate[] {
    if (this.#window === undefined || this.#window === 0) return []
    const { cost } = this.#total
    return [
      {
        sessionUpdate: 'usage_update',
        used: this.#used,
        size: this.#window,
        ...(cost === 'unknown' ? {} : { cost: { amount: cost.total, currency: 'USD' } }),
      },
    ]
  }
}
