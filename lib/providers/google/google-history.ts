// The conversation as Google's API takes it: a turn of calls is followed by a turn of exactly their results, and the user begins.
import type { AssistantMessage, Message, ToolResultMessage, UserContent } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { callIdNames } from '../adapter/call-ids.ts'
import type { CallIdNames } from '../adapter/call-ids.ts'
import type { GoogleCompat } from './google-options.ts'
import type { GoogleContent, GooglePart as Part } from './google-parameters.ts'
import { partText, shownImage } from '../adapter/well-formed-history.ts'
import { wellFormedHistory } from '../adapter/well-formed-history.ts'

interface Context {
  readonly model: Model
  readonly compat: GoogleCompat
  readonly ids: CallIdNames
}
interface Turn extends GoogleContent {
  readonly parts: Part[]
}

const callIdLength = 64
/** What the API takes in place of a signature for calls that it did not make itself. */
const unsigned = 'skip_thought_signature_validator'

/**
 * The history, well formed, neighbours of one role merged but for results, which stand alone. A model's own text, thoughts and
 * calls are given back with their signatures; thoughts without one, and those of other models, are left out.
 */
export function googleHistory(messages: readonly Message[], model: Model, compat: GoogleCompat): GoogleContent[] {
  const context = { model, compat, ids: callIdNames(callIdLength) }
  const turns: Turn[] = []
  let images: Part[] = []
  const flushImages = (): void => {
    if (images.length > 0) addTurn(turns, 'user', [{ text: 'The images of the tool results above:' }, ...images])
    images = []
  }
  for (const message of wellFormedHistory(messages)) {
    if (message.role !== 'toolResult') flushImages()
    if (message.role === 'user') addTurn(turns, 'user', userParts(message.content, model))
    else if (message.role === 'assistant') addTurn(turns, 'model', answerParts(message, context))
    else {
      const shown = imageParts(message.content, model)
      addTurn(turns, 'user', [resultPart(message, shown, context)])
      if (!compat.imagesInResults) images.push(...shown)
    }
  }
  flushImages()
  if (turns[0]?.role === 'model')
    turns.unshift({ role: 'user', parts: [{ text: '[The conversation began earlier.]' }] })
  return turns
}

/** Results join results, everything else of one role joins; nothing makes no turn. */
function addTurn(turns: Turn[], role: Turn['role'], parts: readonly Part[]): void {
  if (parts.length === 0) return
  const last = turns.at(-1)
  const isOfResults = (part: Part | undefined): boolean => part?.functionResponse !== undefined
  if (last?.role === role && isOfResults(last.parts.at(-1)) === isOfResults(parts[0])) last.parts.push(...parts)
  else turns.push({ role, parts: [...parts] })
}

function userParts(content: string | readonly UserContent[], model: Model): Part[] {
  const given = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return given.flatMap((part) => {
    const image = imageParts([part], model)
    const text = partText(part, model)
    return image.length > 0 ? image : text.trim() === '' ? [] : [{ text }]
  })
}

/** The first call of an answer has to be signed where the API checks it. */
function answerParts(message: AssistantMessage, { model, compat, ids }: Context): Part[] {
  const isOwn = message.api === model.api && message.provider === model.provider && message.model === model.id
  const signed = (signature: string | undefined): Pick<Part, 'thoughtSignature'> =>
    isOwn && signature !== undefined ? { thoughtSignature: signature } : {}
  let isFirstCall = true
  return message.content.flatMap((block): Part[] => {
    if (block.type === 'text') {
      const text = block.text.toWellFormed()
      return text.trim() === '' ? [] : [{ text, ...signed(block.textSignature) }]
    }
    if (block.type === 'thinking') {
      const signature = signed(block.thinkingSignature)
      return 'thoughtSignature' in signature ? [{ text: block.thinking, thought: true, ...signature }] : []
    }
    const id = ids.call(block.id)
    const call = { ...(compat.callIds ? { id } : {}), name: block.name, args: block.arguments }
    const placeholder = compat.signedCalls && isFirstCall ? { thoughtSignature: unsigned } : {}
    isFirstCall = false
    return [{ functionCall: call, ...placeholder, ...signed(block.thoughtSignature) }]
  })
}

function resultPart(message: ToolResultMessage, images: readonly Part[], { model, compat, ids }: Context): Part {
  const id = ids.result(message.toolCallId)
  const said = message.content.filter((part) => shownImage(part, model) === undefined)
  const text =
    said.map((part) => partText(part, model)).join('\n') || (images.length > 0 ? '(see the image)' : '(no output)')
  return {
    functionResponse: {
      ...(compat.callIds ? { id } : {}),
      name: message.toolName,
      response: message.isError ? { error: text } : { output: text },
      ...(compat.imagesInResults && images.length > 0 ? { parts: [...images] } : {}),
    },
  }
}

function imageParts(content: readonly UserContent[], model: Model): Part[] {
  return content.flatMap((part) => {
    const image = shownImage(part, model)
    return image === undefined ? [] : [{ inlineData: { mimeType: image.mimeType, data: image.data } }]
  })
}
