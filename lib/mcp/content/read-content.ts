// Converts a prompt that a server renders, and a resource that it returns, within bounds.
import type { McpPromptMessages, McpResourceContent } from '../contract/mcp-offer.ts'
import type { McpJson } from '../contract/mcp-peer.ts'
import type { UserContent } from '../../streams/messages/message.ts'
import { Failure } from '../../streams/values/failure.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { isRecord } from '../../streams/values/json.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import { convertBlocks, convertResource } from './content-blocks.ts'
import { describingLine, textField } from './foreign-text.ts'

/** UTF-8 bytes of text that one prompt or resource brings into a conversation. */
export const maxInsertedBytes = 256 * 1_024

const maxMessages = 100

/**
 * The messages of `prompts/get`.
 * @throws Failure `mcp_error` if there are none
 */
export function promptMessages(server: string, result: McpJson): McpPromptMessages {
  const listed = Array.isArray(result['messages']) ? (result['messages'] as readonly unknown[]) : []
  const known = listed.filter(isRecord).slice(0, maxMessages)
  if (known.length === 0)
    throw new Failure('mcp_error', `The MCP server "${server}" returned a prompt without messages.`)
  const limit = textLimit()
  const messages = known.map(({ role, content }) => ({
    role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
    content: convertBlocks([content].flat()).map(limit),
  }))
  const description = textField(result['description'], 1_024)
  return { ...(description !== undefined && { description }), messages }
}

/** The messages as the content of one user message: what another role says is marked. */
export function promptContent({ messages }: McpPromptMessages): readonly UserContent[] {
  const isPlain = messages.every(({ role }) => role === 'user')
  return messages.flatMap(({ role, content }) =>
    isPlain ? content : [{ type: 'text' as const, text: `${role}:` }, ...content],
  )
}

/**
 * The content of `resources/read`.
 * @throws Failure `mcp_error` if it is empty
 */
export function resourceContent(server: string, uri: string, result: McpJson): McpResourceContent {
  const listed = Array.isArray(result['contents']) ? (result['contents'] as readonly unknown[]) : []
  const known = listed.filter(isRecord).slice(0, maxMessages)
  const [first] = known
  if (first === undefined)
    throw new Failure('mcp_error', `The MCP server "${server}" returned nothing for the resource ${uri}.`)
  const mimeType = typeof first['mimeType'] === 'string' ? describingLine(first['mimeType'], 256) : undefined
  return { uri, ...(mimeType !== undefined && { mimeType }), content: known.map(convertResource).map(textLimit()) }
}

/** Cuts the text of successive blocks to `maxInsertedBytes` in all. */
function textLimit(): (block: UserContent) => UserContent {
  let left = maxInsertedBytes
  return (block) => {
    if (block.type !== 'text') return block
    const { text, bytes, totalBytes } = truncateHead(block.text, { maxBytes: left, maxLines: Infinity })
    left -= bytes
    if (bytes === totalBytes) return block
    return { type: 'text', text: `${text}\n[Cut: this text has ${formatBytes(totalBytes)}.]` }
  }
}
