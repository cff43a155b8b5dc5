// Converts the result of a server's tool to content for the model; a long text goes to a file.
import { createSpillFile } from '../../host/files/spill-file.ts'
import type { UserContent } from '../../streams/messages/message.ts'
import type { Redaction } from '../../streams/ports/secrets.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { jsonText } from '../../streams/values/json.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import type { RawToolResult } from '../contract/mcp-peer.ts'
import type { OutputCheck } from './output-check.ts'
import { convertBlocks } from '../content/content-blocks.ts'

/** The `details` of a result. */
export interface McpToolDetails {
  readonly server: string
  readonly tool: string
  /** The server's data beside the content; absent if its JSON has more than 64 KiB. */
  readonly structured?: unknown
  /** Why the result does not fit the tool's own output schema. */
  readonly problem?: string
  /** Bytes of the whole text, if the model has only its beginning. */
  readonly totalBytes?: number
  /** The file with the whole text. */
  readonly fullOutput?: string
}

export interface ResultSource {
  readonly server: string
  readonly tool: string
  readonly sessionId: string
  readonly spillFolder: string | undefined
  readonly redaction: Redaction | undefined
  readonly checkOutput: OutputCheck | undefined
}

/** Bounds of a result for models. */
const shown = { maxLines: 2_000, maxBytes: 51_200 } as const
const maxStructuredBytes = 65_536

export function toolResult(raw: RawToolResult, source: ResultSource): ToolResult {
  const { server, tool } = source
  const structured = structuredText(raw.structuredContent)
  const blocks = convertBlocks(raw.content)
  const hasText = raw.content.some(({ type }) => type === 'text')
  const all: readonly UserContent[] =
    hasText || structured === undefined ? blocks : [...blocks, { type: 'text', text: structured }]
  const { content, ...cut } = fitText(all, source)
  const keepsStructured = structured !== undefined && Buffer.byteLength(structured) <= maxStructuredBytes
  const problem = raw.isError === true ? undefined : source.checkOutput?.(raw.structuredContent)
  const details: McpToolDetails = {
    server,
    tool,
    ...(keepsStructured && { structured: raw.structuredContent }),
    ...(problem !== undefined && { problem }),
    ...cut,
  }
  const shownContent: readonly UserContent[] = content.length === 0 ? [{ type: 'text', text: '(no output)' }] : content
  const remark = problem === undefined ? [] : [{ type: 'text' as const, text: `[${problem}]` }]
  return {
    type: 'result',
    content: [...shownContent, ...remark],
    details,
    ...(raw.isError === true && { isError: true }),
  }
}

function structuredText(structured: unknown): string | undefined {
  return structured === undefined ? undefined : jsonText(structured)
}

type Fitted = Pick<McpToolDetails, 'totalBytes' | 'fullOutput'> & { readonly content: readonly UserContent[] }

/** Too long a text becomes its beginning, and the whole goes to a file; images stay. */
function fitText(content: readonly UserContent[], source: ResultSource): Fitted {
  const whole = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (truncateHead(whole, shown).cutBy === undefined) return { content }
  const text = source.redaction?.text(whole) ?? whole // before the cut, which may halve a secret
  const beginning = truncateHead(text, shown)
  const stored = storeText(text, source)
  const { lines, totalLines, totalBytes } = beginning
  const part = beginning.cutLine
    ? `The first ${formatBytes(shown.maxBytes)} of line 1`
    : `Lines 1-${lines} of ${totalLines}`
  const notice = `[${part} (${formatBytes(totalBytes)} in all). ${stored.sentence}]`
  const gap = beginning.text.endsWith('\n') ? '' : '\n'
  return {
    content: [
      { type: 'text', text: `${beginning.text}${gap}${notice}` },
      ...content.filter(({ type }) => type !== 'text'),
    ],
    totalBytes,
    ...(stored.path !== undefined && { fullOutput: stored.path }),
  }
}

function storeText(
  text: string,
  { spillFolder: folder, sessionId }: ResultSource,
): { readonly path?: string; readonly sentence: string } {
  if (folder === undefined) return { sentence: 'The rest was not stored: ask for less, or for a part.' }
  const file = createSpillFile({ folder, sessionId })
  file.write(text)
  file.close()
  const { path, problem, isCapped } = file
  if (path !== undefined && problem === undefined && !isCapped) return { path, sentence: `All of it: ${path}` }
  file.remove()
  return { sentence: `The rest could not be stored: ${problem ?? 'it is too long'}.` }
}
