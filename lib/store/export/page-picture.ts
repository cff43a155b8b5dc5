// A picture stands in the page itself, and only as what its own first bytes say it is.
import type { ImageContent } from '../../streams/messages/message.ts'
import { imageType } from '../../streams/values/image-type.ts'
import { escapeHtml } from './escape-html.ts'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Characters of base64 that hold the bytes which tell the type. */
const headLength = 16

/** HTML of a PNG, JPEG, GIF or WebP image; of anything else what it claims to be. */
export function pagePicture({ data, mimeType, bytes }: ImageContent): string {
  const type = data === undefined ? undefined : imageType(Buffer.from(data.slice(0, headLength), 'base64'))
  if (data !== undefined && type !== undefined && base64.test(data))
    return `<img alt="" src="data:${type};base64,${data}">`
  const why = data === undefined ? `${bytes ?? 0} bytes, not part of this page` : 'not shown'
  return `<p class="none">[a picture, ${escapeHtml(mimeType)}, ${why}]</p>`
}
