// Checks what extensions show: texts of the status row, keys and themes.
import { themeRoles } from '../../streams/commands/extension-ui-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { AnyRenderer, KeyBinding, ThemeDefinition } from '../api/extension-ui.ts'
import type { ApiParts } from './api-parts.ts'

/** Characters of a text of the status row. */
const longestStatus = 200
/** Texts of the status row, keys and themes of one extension. */
const mostOfEach = 20

/** One line of at most 200 characters. @throws Failure `bad_request` */
export function checkStatus({ contributions, manifest: { name } }: ApiParts, key: unknown, text: unknown): string {
  if (typeof key !== 'string' || !/^\P{Cc}{1,100}$/u.test(key)) {
    throw new Failure('bad_request', 'The key of a status text is a text of 1 to 100 characters')
  }
  if (typeof text !== 'string') throw new Failure('bad_request', 'A status text is a text, or undefined')
  checkRoom(
    'status texts',
    contributions.statuses.entries.filter(({ owner, value }) => owner === name && value.key !== key),
  )
  return text.replace(/\s+/g, ' ').trim().slice(0, longestStatus)
}

/** @throws Failure `bad_request` for a key that is not valid or taken, and for a command that the extension does not have */
export function checkKey({ contributions, manifest }: ApiParts, binding: KeyBinding): KeyBinding {
  const { key, command, argument, description } = binding
  if (typeof key !== 'string' || !/^[\x21-\x7e]{2,40}$/.test(key)) {
    throw new Failure('bad_request', `The key ${JSON.stringify(key)} is not a name such as "alt+g" or "ctrl+x"`)
  }
  if (!contributions.commands.entries.some(({ owner, value }) => owner === manifest.name && value.name === command)) {
    throw new Failure(
      'bad_request',
      `The key ${key} names the command ${JSON.stringify(command)}, which ${manifest.name} has not registered`,
    )
  }
  for (const [field, text] of Object.entries({ description, argument: argument ?? '' })) {
    if (typeof text !== 'string' || text.length > 200) {
      throw new Failure('bad_request', `The ${field} of the key ${key} is a text of at most 200 characters`)
    }
  }
  const { entries } = contributions.keys
  const other = entries.find(({ owner, value }) => value.key === key && owner !== manifest.name)
  if (other !== undefined) throw new Failure('bad_request', `The extension ${other.owner} has the key ${key} already`)
  checkRoom(
    'keys',
    entries.filter(({ owner }) => owner === manifest.name),
  )
  return { key, command, ...(argument === undefined ? {} : { argument }), description }
}

/** @throws Failure `bad_request` that names the field */
export function checkTheme({ contributions, manifest }: ApiParts, theme: ThemeDefinition): ThemeDefinition {
  const checked = validTheme(theme)
  const { name } = checked
  const { entries } = contributions.themes
  const other = entries.find(({ value }) => value.name === name)
  if (other !== undefined) throw new Failure('bad_request', `The extension ${other.owner} has a theme ${name} already`)
  checkRoom(
    'themes',
    entries.filter(({ owner }) => owner === manifest.name),
  )
  return checked
}

/** A copy of its known fields. @throws Failure `bad_request` that names the field */
export function validTheme({ name, base, colours }: ThemeDefinition): ThemeDefinition {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name) || ['dark', 'light', 'auto'].includes(name)) {
    throw new Failure(
      'bad_request',
      `The theme name ${JSON.stringify(name)} has to be lower case letters, digits and "-", and not dark, light or auto`,
    )
  }
  if (!['dark', 'light'].includes(base)) {
    throw new Failure('bad_request', `base of the theme ${name} is "dark" or "light", not ${JSON.stringify(base)}`)
  }
  if (!isRecord(colours)) {
    throw new Failure('bad_request', `colours of the theme ${name} is an object of roles`)
  }
  for (const [role, colour] of Object.entries(colours)) checkColour(name, role, colour)
  return { name, base, colours: { ...colours } }
}

/** @throws Failure `bad_request` */
export function checkRenderer({ contributions }: ApiParts, renderer: AnyRenderer): AnyRenderer {
  const drawn = typeof renderer.render === 'function' ? drawnBy(renderer) : undefined
  if (drawn === undefined) {
    throw new Failure(
      'bad_request',
      'A renderer has the function render, and a customType, a tool, or a message that is "user" or "assistant"',
    )
  }
  const other = contributions.renderers.entries.find(({ value }) => drawnBy(value) === drawn)
  if (other === undefined) return renderer
  throw new Failure('bad_request', `The extension ${other.owner} draws ${drawn} already`)
}

/** In words; undefined if it is none of the three. */
function drawnBy(renderer: AnyRenderer): string | undefined {
  const { customType, tool, message }: { customType?: unknown; tool?: unknown; message?: unknown } = { ...renderer }
  if (typeof customType === 'string' && customType !== '') return `events of the type ${customType}`
  if (typeof tool === 'string' && tool !== '') return `results of the tool ${tool}`
  return message === 'user' || message === 'assistant' ? `messages of the role ${message}` : undefined
}

function checkColour(theme: string, role: string, colour: unknown): void {
  if (!(themeRoles as readonly string[]).includes(role)) {
    throw new Failure(
      'bad_request',
      `The theme ${theme} names the role ${JSON.stringify(role)}; there are ${themeRoles.join(', ')}`,
    )
  }
  const isIndex = Number.isInteger(colour) && Number(colour) >= 0 && Number(colour) <= 255
  if (isIndex || (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour))) return
  throw new Failure('bad_request', `The colour ${role} of the theme ${theme} is a number from 0 to 255, or "#rrggbb"`)
}

function checkRoom(what: string, others: readonly unknown[]): void {
  if (others.length >= mostOfEach) throw new Failure('bad_request', `An extension has at most ${mostOfEach} ${what}`)
}
