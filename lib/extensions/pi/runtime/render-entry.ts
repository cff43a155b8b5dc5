// Shows an entry of a module of pi as a notice: its renderer makes the lines.
import { stripVTControlCharacters } from 'node:util'
import { contentText } from '../contract/pi-shapes.ts'
import type { PiOwnEntry, PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRenderer } from '../contract/pi-registrations.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { plainTheme } from '../modules/plain-theme.ts'

const renderWidth = 80

/** Shows nothing for a message that is not to be displayed, and for an entry without a renderer. */
export function renderOwnEntry(
  runtime: PiRuntime,
  { customType, message, data }: Pick<PiOwnEntry, 'customType' | 'message' | 'data'>,
): void {
  const text =
    message === undefined ? entryLines(runtime, customType, data) : messageLines(runtime, customType, message)
  if (text !== undefined && text.trim() !== '') runtime.api.ui.notify(`${customType}:\n${text}`)
}

function entryLines({ entryRenderers }: PiRuntime, customType: string, data: unknown): string | undefined {
  const renderer = entryRenderers.get(customType)
  return renderer && lines(renderer, { type: 'custom', customType, data }, { expanded: false })
}

function messageLines(
  { messageRenderers }: PiRuntime,
  customType: string,
  message: NonNullable<PiOwnEntry['message']>,
): string | undefined {
  if (message.display === false) return undefined
  const renderer = messageRenderers.get(customType)
  const own = renderer && lines(renderer, { ...message, role: 'custom', customType }, { expanded: false, outputPad: 0 })
  return own ?? contentText(message.content)
}

function lines(renderer: PiRenderer, value: PiRecord, options: PiRecord): string | undefined {
  return renderer(value, options, plainTheme)
    ?.render(renderWidth)
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .join('\n')
}
