// Cuts a tool's text result that is too long for a context.
import type { UserContent } from '../../streams/messages/message.ts'
import type { AnyTool, ToolResult } from '../../streams/ports/tool.ts'
import { truncateHead, utf8Length } from '../../streams/values/truncate.ts'

/** UTF-8 bytes of text that a result has if its tool sets no limit. */
export const defaultResultBytes = 51_200

/**
 * The result with the first `maxResultBytes` of its text, whole lines if one fits, and a notice that names the length. Other
 * content stays. Returns the same object if nothing is cut.
 */
export function limitResult(
  result: ToolResult,
  { maxResultBytes = defaultResultBytes }: Pick<AnyTool, 'maxResultBytes'>,
): ToolResult {
  const { content } = result
  if (!(maxResultBytes > 0) || !isList(content)) return result
  const bytes = content.reduce((sum, block) => sum + textBytes(block), 0)
  if (bytes <= maxResultBytes) return result
  let left = maxResultBytes
  const cut = content.flatMap((block): UserContent[] => {
    if (block.type !== 'text') return [block]
    const { text, bytes: used } = truncateHead(block.text, { maxBytes: left, maxLines: Infinity })
    left -= used
    if (text.length < block.text.length) left = 0
    return text === '' ? [] : [{ ...block, text }]
  })
  return { ...result, content: [...cut, { type: 'text', text: noticeOf(bytes, maxResultBytes) }] }
}

/** From untyped code it may be anything. */
function isList(content: unknown): boolean {
  return Array.isArray(content)
}

function textBytes(block: UserContent): number {
  return block.type === 'text' && typeof block.text === 'string' ? utf8Length(block.text) : 0
}

function noticeOf(bytes: number, most: number): string {
  return `[Cut: this result has ${bytes} bytes of text, and the first ${most} are above. Ask for less, or for a part.]`
}
