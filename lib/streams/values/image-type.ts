// Detects the type of an image from its first bytes; the file's name is ignored.

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The type of the image that begins with these bytes (12 suffice); undefined if models do not read it. */
export function detectImageType(head: Uint8Array): ImageType | undefined {
  const text = String.fromCharCode(...head.subarray(0, 12))
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined
}
