// Describes data of modules written for pi, as far as rxpi reads it.

/** Plain data of an extension, whose fields are checked where they are read. */
export type PiRecord = Record<string, unknown>

export interface PiPart {
  readonly type: string
  readonly text?: string
  readonly data?: string
  readonly mimeType?: string
}

/** The text of a message: one, or parts. */
export type PiContent = string | readonly PiPart[]

/** A message of any role; `custom` ones belong to extensions. */
export interface PiMessage {
  readonly role: string
  readonly content?: PiContent
  readonly customType?: string
  readonly display?: boolean
  readonly details?: unknown
  readonly timestamp?: number
}

export interface PiToolResult {
  readonly content?: readonly PiPart[]
  readonly details?: unknown
  readonly isError?: boolean
  readonly terminate?: boolean
}

export interface PiTool {
  readonly name: string
  readonly label?: string
  readonly description: string
  readonly parameters: object
  readonly promptSnippet?: string
  readonly promptGuidelines?: readonly string[]
  readonly executionMode?: 'sequential' | 'parallel'
  prepareArguments?(args: unknown): unknown
  execute(
    id: string,
    args: unknown,
    signal: AbortSignal,
    onUpdate: ((partial: PiToolResult) => void) | undefined,
    context: PiRecord,
  ): Promise<PiToolResult | undefined> | PiToolResult | undefined
}

/** The text of content: parts of text with line feeds between them. */
export function contentText(content: PiContent | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}
