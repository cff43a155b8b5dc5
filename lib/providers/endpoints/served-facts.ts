// What an endpoint says of a model becomes what a run goes by: nothing is taken for larger than was said.
import type { Model } from '../../streams/models/model.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Notice } from './notice.ts'
import type { ServedModel } from './served-model.ts'

/** Tokens of window that are assumed where an endpoint does not say. */
export const assumedWindow = 8_192
/** With fewer, tools and their results soon fill it. */
const comfortable = 16_384

/** The model with what its endpoint says of it, where nobody else has; and what people should know of that. */
export function withServedFacts(
  model: Model,
  served: ServedModel,
): { readonly model: Model; readonly notices: readonly Notice[] } {
  const { contextWindow = served.contextWindow ?? assumedWindow } = model
  const known: Model = {
    ...model,
    contextWindow,
    reasoning: model.reasoning || served.reasoning === true,
    inputs: served.images === true ? ['text', 'image'] : [...model.inputs],
  }
  const isTold = model.contextWindow !== undefined
  return {
    model: known,
    notices: [...windowNotices(known, isTold ? {} : served, isTold), ...toolNotices(known, served)],
  }
}

function windowNotices(
  model: Model,
  { contextWindow, windowMayBeLess }: Partial<ServedModel>,
  isTold: boolean,
): Notice[] {
  const name = modelName(model)
  const window = (model.contextWindow ?? 0).toLocaleString('en')
  const notice = (code: string, message: string): Notice[] => [{ code, message }]
  if (!isTold && contextWindow === undefined) {
    return notice(
      'window_unknown',
      `${name} does not say how large its window is: ${window} tokens are assumed. ${howToSay}`,
    )
  }
  if ((model.contextWindow ?? 0) < comfortable) {
    return notice(
      'window_small',
      `${name} has a window of ${window} tokens, which is little for work with tools. ${howToRaise}`,
    )
  }
  if (windowMayBeLess !== true) return []
  return notice('window_unsure', `${name} can take ${window} tokens, but its server may give it fewer. ${howToSay}`)
}

const howToSay = 'contextWindow in models.json says it.'
const howToRaise = 'The server decides that: for Ollama OLLAMA_CONTEXT_LENGTH, elsewhere a setting of its own.'

function toolNotices(model: Model, { tools, embeds }: ServedModel): Notice[] {
  const name = modelName(model)
  if (embeds === true)
    return [{ code: 'model_embeds', message: `${name} makes vectors and gives no answers: name another model.` }]
  if (tools !== false) return []
  const message = `${name} takes no tools: its server refuses them or leaves them out. Name another model, or ask without: --tools ''.`
  return [{ code: 'model_without_tools', message }]
}
