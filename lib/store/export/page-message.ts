// Renders one step of a conversation as HTML: messages open, thinking and tools collapsed.
import { foldMentions } from '../../streams/messages/mentions.ts'
import { bashExecutionText } from '../../streams/messages/bash-execution.ts'
import type {
  AssistantContent,
  Message,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
  ImageContent,
} from '../../streams/messages/message.ts'
import { innerCall } from '../../streams/messages/inner-call.ts'
import { typedText } from '../../streams/messages/message-text.ts'
import { escapeHtml } from './page-renderer.ts'
import type { PageRenderer } from './page-renderer.ts'
import { endWords, pageTime, stepWords } from './page-labels.ts'
import type { PathStep, SessionPath } from './session-path.ts'
import { detectImageType } from '../../streams/values/image-type.ts'

export interface Page {
  readonly path: SessionPath
  readonly renderer: PageRenderer
}

/** The step's HTML; empty for a tool result, which its call includes. */
export function pageStep(step: PathStep, page: Page): string {
  const { event } = step
  if (event.type === 'model_change' || event.type === 'thinking_level_change')
    return `<p class="change">${escapeHtml(stepWords(step))}</p>`
  if (event.type !== 'message_end')
    return article(step, { kind: 'summary', words: stepWords(step) }, page.renderer.markdown(event.summary))
  return messageArticle(step, event.message, page)
}

function messageArticle(step: PathStep, message: Message, page: Page): string {
  switch (message.role) {
    case 'user':
      return article(step, { kind: 'user', words: 'User' }, promptHtml(message))
    case 'assistant': {
      const blocks = message.content.map((block) => blockHtml(block, page))
      const end = endWords(message)
      if (end !== undefined) blocks.push(`<p class="end">${escapeHtml(end)}</p>`)
      return article(step, { kind: 'assistant', words: `${message.provider}/${message.model}` }, blocks.join('\n'))
    }
    case 'toolResult':
      if (page.path.paired.has(message)) return ''
      return article(step, { kind: 'result', words: `Result of ${message.toolName}` }, resultHtml(message, page))
    default:
      return customArticle(step, message, page)
  }
}

/** User commands in their terminal form, unknown roles as their content. */
function customArticle(step: PathStep, message: Message, { renderer }: Page): string {
  const { role } = message as { readonly role: string }
  const ran = bashExecutionText(message)
  if (ran !== undefined) {
    const [command = ''] = ran.split('\n')
    return article(
      step,
      { kind: 'custom', words: role },
      folded({ summary: command }, `<pre><code>${escapeHtml(ran)}</code></pre>`),
    )
  }
  const shown = `<pre><code>${renderer.code(json(message), 'json')}</code></pre>`
  return article(step, { kind: 'custom', words: role }, folded({ summary: role }, shown))
}

interface Heading {
  readonly kind: 'user' | 'assistant' | 'result' | 'summary' | 'custom'
  readonly words: string
}

function article({ at, event, label, marks = [] }: PathStep, { kind, words }: Heading, html: string): string {
  const id = 'entryId' in event ? event.entryId : ''
  const all = label === undefined ? marks : [label, ...marks]
  const mark = all.map((each) => ` <span class="label">${escapeHtml(each)}</span>`).join('')
  const heading = `<h2>${escapeHtml(words)} · <a href="#${id}"><time>${pageTime(at)}</time></a>${mark}</h2>`
  return `<article class="${kind}" id="${id}">${heading}\n${html}\n</article>`
}

/** The typed text; of a command, folded, also the text that the model got. */
function promptHtml({ content, invocation }: UserMessage): string {
  if (invocation === undefined) return contentHtml(content)
  const typed = contentHtml(typedText(invocation))
  return `${typed}\n${folded({ summary: 'What the model got' }, contentHtml(content))}`
}

function contentHtml(content: string | readonly UserContent[]): string {
  const parts: readonly UserContent[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts
    .map((part) =>
      part.type === 'text' ? `<div class="said">${escapeHtml(foldMentions(part.text))}</div>` : pagePicture(part),
    )
    .join('\n')
}

function blockHtml(block: AssistantContent, page: Page): string {
  switch (block.type) {
    case 'text':
      return page.renderer.markdown(block.text)
    case 'thinking': {
      const text = block.redacted === true ? '(hidden by the provider)' : block.thinking
      return folded({ summary: 'Thinking', kind: 'thinking' }, page.renderer.markdown(text))
    }
    case 'toolCall':
      return callHtml(block, page)
  }
}

function callHtml(call: ToolCall, page: Page): string {
  const { renderer, path } = page
  const { name, arguments: args, argumentsText } = innerCall(call)
  const result = path.results.get(call)
  const command = typeof args['command'] === 'string' ? args['command'] : undefined
  const input =
    command === undefined ? renderer.code(argumentsText ?? json(args), 'json') : renderer.code(command, 'bash')
  const output = result === undefined ? '<p class="none">No result.</p>' : resultHtml(result, page, call)
  const summary = [name, command ?? args['path']].filter((word) => typeof word === 'string').join(' ')
  const kind = result?.isError === true ? 'call failed' : 'call'
  return folded({ summary, kind }, `<pre><code>${input}</code></pre>\n${output}`)
}

function resultHtml({ content, details, isError }: ToolResultMessage, { renderer }: Page, call?: ToolCall): string {
  const language = isError ? undefined : languageOf(call)
  const parts = content.map((part) =>
    part.type === 'text' ? `<pre><code>${renderer.code(part.text, language)}</code></pre>` : pagePicture(part),
  )
  const diff = diffOf(details)
  if (diff !== undefined) parts.push(`<pre><code>${renderer.code(diff, 'diff')}</code></pre>`)
  return parts.join('\n')
}

/** The language of a file that a tool read. */
function languageOf(call: ToolCall | undefined): string | undefined {
  const file = call?.name === 'read' ? call.arguments['path'] : undefined
  return typeof file === 'string' ? /\.([A-Za-z0-9]{1,10})$/.exec(file)?.[1]?.toLowerCase() : undefined
}

function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined
  return typeof details.diff === 'string' ? details.diff : undefined
}

function folded(
  { summary, kind = 'more' }: { readonly summary: string; readonly kind?: string },
  html: string,
): string {
  const [line = ''] = summary.split('\n')
  return `<details class="${kind}"><summary>${escapeHtml(line.slice(0, 300))}</summary>\n${html}\n</details>`
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

// Embeds an image in the page, only with the type that its first bytes show.

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Characters of base64 that hold the type's signature bytes. */
const headLength = 16

/** HTML of a PNG, JPEG, GIF or WebP image; for other content the claimed type as text. */
function pagePicture({ data, mimeType, bytes }: ImageContent): string {
  const type = data === undefined ? undefined : detectImageType(Buffer.from(data.slice(0, headLength), 'base64'))
  if (data !== undefined && type !== undefined && base64.test(data))
    return `<img alt="" src="data:${type};base64,${data}">`
  const why = data === undefined ? `${bytes ?? 0} bytes, not part of this page` : 'not shown'
  return `<p class="none">[a picture, ${escapeHtml(mimeType)}, ${why}]</p>`
}
