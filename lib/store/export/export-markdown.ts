// Exports a session as Markdown: messages as they were written, tool input and output in fences.
import { foldMentions } from '../../streams/messages/mentions.ts'
import { bashExecutionText } from '../../streams/messages/bash-execution.ts'
import type {
  AssistantContent,
  Message,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../streams/messages/message.ts'
import { innerCall } from '../../streams/messages/inner-call.ts'
import { typedText } from '../../streams/messages/message-text.ts'
import { showActiveCharacters } from '../../streams/values/display-text.ts'
import { endWords, pageTime, pageTitle, stepWords } from './page-labels.ts'
import { sessionPath } from './session-path.ts'
import type { PathStep, SessionPath } from './session-path.ts'
import type { LogToExport } from './complete-records.ts'
import { countOf } from '../../streams/values/count-of.ts'

/**
 * The page in pieces: the conversation from its first message to the head. Makes active characters visible. Markdown of
 * a model or person stays active, links and pictures included; for a browser, export HTML.
 */
export function* exportMarkdown(log: LogToExport): Generator<string, void> {
  const path = yield* sessionPath(log)
  yield showActiveCharacters(heading(path))
  for (const step of path.steps) {
    const text = stepText(step, path)
    if (text !== '') yield showActiveCharacters(`\n${text}\n`)
  }
}

function heading(path: SessionPath): string {
  const { header, elsewhere } = path
  const others =
    elsewhere === 0
      ? ''
      : `\n- ${countOf(elsewhere, 'message')} on other branches ${elsewhere === 1 ? 'is' : 'are'} not on this page`
  return `# ${oneLine(pageTitle(path))}\n\n- session ${oneLine(header.id)}, begun ${pageTime(header.createdAt)}\n- in \`${oneLine(header.cwd)}\`${others}\n`
}

function stepText(step: PathStep, path: SessionPath): string {
  const { event, at, label, marks = [] } = step
  if (event.type === 'model_change' || event.type === 'thinking_level_change') return `*${oneLine(stepWords(step))}*`
  const mark = [...(label === undefined ? [] : [`label: ${oneLine(label)}`]), ...marks]
    .map((each) => ` · ${each}`)
    .join('')
  if (event.type !== 'message_end') return `## ${stepWords(step)}${mark}\n\n${quoted(event.summary)}`
  return messageText(event.message, `${pageTime(at)}${mark}`, path)
}

function messageText(message: Message, when: string, path: SessionPath): string {
  switch (message.role) {
    case 'user':
      return `## User · ${when}\n\n${promptText(message)}`
    case 'assistant': {
      const end = endWords(message)
      const blocks = message.content.map((block) => blockText(block, path))
      const parts = [`## Assistant · ${oneLine(`${message.provider}/${message.model}`)} · ${when}`, ...blocks]
      return (end === undefined ? parts : [...parts, `**${oneLine(end)}**`]).join('\n\n')
    }
    case 'toolResult': // shown with its call
      return path.paired.has(message) ? '' : resultText(message)
    default:
      return `## ${oneLine((message as Message).role)} · ${when}\n\n${customText(message)}`
  }
}

/** The typed text; of a command also the text that the model got. */
function promptText({ content, invocation }: UserMessage): string {
  const text = foldMentions(contentText(content))
  return invocation === undefined ? text : `${typedText(invocation)}\n\nThe model got:\n\n${fenced(text)}`
}

/** A user command in its terminal form; a custom role as its content. */
function customText(message: Message): string {
  const ran = bashExecutionText(message)
  return ran === undefined ? fenced(json(message), 'json') : fenced(ran)
}

function blockText(block: AssistantContent, path: SessionPath): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
      return quoted(`**Thinking**\n\n${block.redacted === true ? '(hidden by the provider)' : block.thinking}`)
    case 'toolCall':
      return callText(innerCall(block), path.results.get(block))
  }
}

function callText({ name, arguments: args, argumentsText }: ToolCall, result: ToolResultMessage | undefined): string {
  const input = fenced(argumentsText ?? json(args), argumentsText === undefined ? 'json' : '')
  const call = `### Tool: ${oneLine(name)}\n\n${input}`
  return result === undefined ? `${call}\n\nNo result.` : `${call}\n\n${resultText(result)}`
}

function resultText({ toolName, content, isError }: ToolResultMessage): string {
  const texts = content.map((part) => (part.type === 'text' ? fenced(part.text) : pictureText(part)))
  return [`${isError ? 'Error' : 'Result'} of ${oneLine(toolName)}:`, ...texts].join('\n\n')
}

function contentText(content: string | readonly UserContent[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : pictureText(part))).join('\n\n')
}

function pictureText(part: UserContent): string {
  return part.type === 'image' ? `*(a picture, ${oneLine(part.mimeType)})*` : part.text
}

/** The fence is longer than any fence in the text. */
function fenced(text: string, language = ''): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
