// Runs the provider contract against the Messages API adapter, for keys and for plans.
import { anthropicMessages } from '../../../lib/providers/endpoints/apis.ts'
import type { AnswerPart } from '../../contract/provider-contract.ts'
import { callBlock, event, messageEnd, messageStart } from './anthropic-events.ts'
import { apiContract } from '../adapter/api-contract.ts'
import { planProvider } from '../adapter/plan-provider.ts'

const wire = {
  api: 'anthropic-messages',
  provider: (baseUrl: string) => anthropicMessages({ provider: 'test', baseUrl }),
  frames,
  ending: (output: readonly AnswerPart[]) =>
    messageEnd(output.some((part) => 'call' in part) ? 'tool_use' : 'end_turn').join(''),
  garbage: 'event: content_block_delta\ndata: {"type":"content_block_delta","index"\n\n',
}
apiContract(wire)
apiContract({
  ...wire,
  api: 'anthropic-messages of a Claude plan',
  isDialect: true,
  provider: (url) => planProvider('anthropic/claude-sonnet-5-5', url),
})
apiContract({
  ...wire,
  api: 'anthropic-messages of Copilot',
  isDialect: true,
  provider: (url) => planProvider('github-copilot/claude-fable-5', url),
})

/** Pieces of one kind belong to one block, as in the API. The last block stays open, so that a cut falls into it. */
function frames(output: readonly AnswerPart[]): string[] {
  const wire = [messageStart()]
  let index = 0
  let open: 'text' | 'thinking' | undefined
  const close = (): void => {
    if (open !== undefined) wire.push(event({ type: 'content_block_stop', index: index++ }))
    open = undefined
  }
  const write = (kind: 'text' | 'thinking', piece: string): void => {
    if (open !== kind) {
      close()
      wire.push(event({ type: 'content_block_start', index, content_block: { type: kind, [kind]: '' } }))
      open = kind
    }
    wire.push(event({ type: 'content_block_delta', index, delta: { type: `${kind}_delta`, [kind]: piece } }))
  }
  for (const part of output) {
    if ('thinking' in part) write('thinking', part.thinking)
    else if ('text' in part) write('text', part.text)
    else if ('noise' in part) wire.push(...(part.noise === 'keepAlive' ? keepAlive : unknown))
    else {
      close()
      wire.push(...callBlock(index++, part.call, part.name, ...part.pieces))
    }
  }
  return wire
}

const keepAlive = [': keep-alive\n\n', event({ type: 'ping' })]
const unknown = [
  event({ type: 'vendor.news', index: 0 }),
  event({ type: 'content_block_delta', index: 99, delta: { type: 'vendor_delta', text: 'x' } }),
]
