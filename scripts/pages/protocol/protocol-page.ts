// Writes docs/protocol.md from protocol.md beside this file and the schemas; `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { eventSchemas, isDurable } from '../../../lib/streams/events/event.ts'
import type { AgentEvent, EventType } from '../../../lib/streams/events/event.ts'
import { commandSchemas } from '../../../lib/streams/commands/command.ts'
import type { CommandType } from '../../../lib/streams/commands/command.ts'
import { failureTable } from '../../../lib/streams/values/failure.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'
import { frameSchemas } from '../../../lib/streams/validation/frame-schemas.ts'
import { protocolSchema } from '../../../lib/streams/validation/protocol-schema.ts'
import { commandGroups } from './protocol-commands.ts'
import { eventNotes } from './protocol-events.ts'
import type { CommandNote } from './protocol-note.ts'
import { fieldTexts, referredTo, schemaText } from './schema-text.ts'

const page = new URL('../../../docs/protocol.md', import.meta.url)
const template = new URL('protocol.md', import.meta.url)
const { $defs } = protocolSchema()
/** Fields of every request, and of every event. */
const envelope = ['v', 'id', 'type', 'timeoutMs', 'opId']

/** Builds the page from the schemas. */
export function protocolPage(): string {
  const parts: Readonly<Record<string, () => string>> = {
    commands,
    frames,
    events,
    shapes,
    codes,
  }
  return readFileSync(template, 'utf8').replaceAll(/\{\{(.+)\}\}/g, (mark, name: string) => parts[name]?.() ?? mark)
}

function shapeOf(name: string): Readonly<Record<string, unknown>> {
  const shape = $defs[name]
  if (shape === undefined) throw new Error(`The protocol has no ${name}`)
  return shape
}

function commands(): string {
  const described = new Set(commandGroups.flatMap(({ commands: group }) => Object.keys(group)))
  const missing = Object.keys(commandSchemas).filter((name) => !described.has(name))
  if (missing.length > 0) throw new Error(`scripts/pages/protocol/protocol-commands.ts lacks ${missing.join(', ')}`)
  return commandGroups
    .flatMap(({ title, commands: group }) => [
      `### ${title}`,
      ...Object.entries(group).map(([name, note]) => command(name as CommandType, note)),
    ])
    .join('\n\n')
}

function command(name: CommandType, { does, errors, ask, answer }: CommandNote): string {
  const request = { id: '1', type: name, ...ask }
  const response = { v: 1, type: 'response', id: '1', ok: true, result: answer }
  return [
    `#### \`${name}\``,
    '',
    does,
    '',
    '```ts',
    ...fields('fields', fieldTexts(shapeOf(`command_${name}`), envelope)),
    ...fields('result', fieldTexts(shapeOf(`result_${name}`))),
    '```',
    '',
    ...(errors.length === 0 ? [] : [`Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.`, '']),
    '```',
    `→ ${JSON.stringify(request)}`,
    `← ${JSON.stringify(response)}`,
    '```',
  ].join('\n')
}

/** One line if it fits, else one field a line. */
function fields(name: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [`${name}: {}`]
  const line = `${name}: { ${texts.join(', ')} }`
  return line.length <= 120 ? [line] : [`${name}: {`, ...texts.map((text) => `  ${text}`), '}']
}

function frames(): string {
  const lines = Object.keys(frameSchemas).flatMap((name) => {
    // the page lists the events below
    const texts = fieldTexts(shapeOf(`frame_${name}`)).map((text) =>
      text.startsWith('event: ') ? 'event: Event' : text,
    )
    return fields(name, texts)
  })
  return ['```ts', ...lines, '```'].join('\n')
}

function events(): string {
  const rows = Object.keys(eventSchemas).map((name) => {
    const mark = isDurable({ type: name } as AgentEvent) ? '' : ' ~' // durability depends on the type alone
    const texts = fieldTexts(shapeOf(`event_${name}`), ['type']).map((text) => `\`${text.replaceAll('|', '\\|')}\``)
    return `| \`${name}\`${mark} | ${eventNotes[name as EventType]} | ${texts.join('<br>') || '–'} |`
  })
  return ['| event | meaning | fields beside `type` |', '|---|---|---|', ...rows].join('\n')
}

/** All schemas that commands, frames and events refer to, directly or not. */
function shapes(): string {
  const wanted = new Set<string>()
  const visit = (name: string): void => {
    const isShown = /^(?:command|result|event|frame)_/.test(name)
    if (!isShown && wanted.has(name)) return
    if (!isShown) wanted.add(name)
    if (isShown && visited.has(name)) return
    visited.add(name)
    referredTo(shapeOf(name)).forEach(visit)
  }
  const visited = new Set<string>()
  Object.keys($defs)
    .filter((name) => /^(?:command|result|frame)_/.test(name))
    .forEach(visit)
  const lines = [...wanted].sort().map((name) => `type ${name} = ${schemaText(shapeOf(name))}`)
  return ['```ts', ...lines, '```'].join('\n')
}

function codes(): string {
  const rows = Object.keys(failureTable).map((code) => {
    const { meaning, recoverable } = failureTable[code as FailureCode]
    return `| \`${code}\` | ${meaning} | ${recoverable ? 'yes' : 'no'} |`
  })
  return ['| code | meaning | retry can succeed |', '|---|---|---|', ...rows].join('\n')
}

if (import.meta.filename === process.argv[1]) {
  if (!process.argv.includes('--check')) writeFileSync(page, protocolPage())
  else if (readFileSync(page, 'utf8') !== protocolPage()) {
    console.error('docs/protocol.md is out of date: run node scripts/pages/protocol/protocol-page.ts')
    process.exitCode = 1
  }
}
