// An image that cannot be shown to a model is named in its place; nothing is left out in silence.
import type { ImageContent, UserContent } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'

/** An image whose data is at hand. */
export type ShownImage = ImageContent & { readonly data: string }

/** The image, where the part is one that this model can be shown. `types`: what the API takes; default all. */
export function shownImage(part: UserContent, model: Model, types?: readonly string[]): ShownImage | undefined {
  if (part.type !== 'image' || part.data === undefined || !model.inputs.includes('image')) return undefined
  if (types !== undefined && !types.includes(part.mimeType)) return undefined
  return { ...part, data: part.data }
}

/** The part's text, well formed; of an image what it is and why it is not shown. */
export function partText(part: UserContent, model: Model): string {
  if (part.type === 'text') return part.text.toWellFormed()
  if (part.data === undefined) return `[an image (${part.mimeType}) that is no longer at hand]`
  if (!model.inputs.includes('image')) return `[an image (${part.mimeType}); this model takes text only]`
  return `[an image (${part.mimeType}) of a type that this model does not take]`
}
