// Runs the provider contract against the replay provider.
import { replay } from '../../../lib/providers/offline/replay.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { Entry } from '../../../lib/streams/state/fold-session.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import { parseToolArguments } from '../../../lib/streams/messages/parse-tool-arguments.ts'
import { providerContract } from '../../contract/provider-contract.ts'
import type { ProviderHarness, AnswerPart, Scenario } from '../../contract/provider-contract.ts'
import { aUser, anAnswer } from '../adapter/messages.ts'

const harness: ProviderHarness = {
  name: 'replay',
  // there is no transport, and recorded content is available at once
  without: ['early', 'cut', 'garbage', 'stall', 'silent', 'notAStream', 'lingers'],
  withoutPieces: true,
  open: (scenario) =>
    Promise.resolve({
      provider: replay(entriesOf(scenario), 'session.jsonl'),
      model: scriptedModel,
      abandoned: Promise.withResolvers<number>().promise,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
}

function entriesOf({ parts: output }: Scenario): Entry[] {
  const calls = output.some((part) => 'call' in part)
  const answer = anAnswer({ stopReason: calls ? 'toolUse' : 'stop' }, ...blocksOf(output))
  return [aUser('Hello'), answer].map((message, index) => ({
    entryId: `entry000${index}`,
    parentId: index === 0 ? null : 'entry0000',
    seq: index + 1,
    message,
  }))
}

/** Adjacent parts of one kind become one block; noise is left out. */
function blocksOf(output: readonly AnswerPart[]): AssistantContent[] {
  const blocks: AssistantContent[] = []
  for (const part of output) {
    const last = blocks.at(-1)
    if ('text' in part) {
      if (last?.type === 'text') blocks[blocks.length - 1] = { ...last, text: last.text + part.text }
      else blocks.push({ type: 'text', text: part.text })
    } else if ('thinking' in part) {
      if (last?.type === 'thinking') blocks[blocks.length - 1] = { ...last, thinking: last.thinking + part.thinking }
      else blocks.push({ type: 'thinking', thinking: part.thinking })
    } else if ('call' in part) {
      blocks.push({ type: 'toolCall', id: part.call, name: part.name, ...parseToolArguments(part.pieces.join('')) })
    }
  }
  return blocks
}

providerContract(harness)
