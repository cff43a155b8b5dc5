// Parses a key name of the user into its canonical form, or explains why it is invalid.

/** The canonical name, or the problem. */
export type KeyName = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly problem: string }

const modifiers = ['ctrl', 'alt', 'shift', 'super'] as const
const spellings: Readonly<Record<string, string>> = {
  control: 'ctrl',
  meta: 'alt',
  option: 'alt',
  cmd: 'super',
  command: 'super',
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  pgup: 'pageup',
  pgdn: 'pagedown',
}
const specials = new Set(
  'up down left right pageup pagedown home end enter escape tab backspace delete space'.split(' '),
)

/** `Ctrl+G` → `ctrl+g`; two keys separated by a space are a double press. */
export function parseKeyName(written: string): KeyName {
  const keys = written.trim().split(/\s+/)
  if (keys.length > 2) return invalidKey(written, 'at most two keys follow one another')
  const names: string[] = []
  for (const key of keys) {
    const one = parseSingleKey(key)
    if (!one.ok) return one
    names.push(one.name)
  }
  return { ok: true, name: names.join(' ') }
}

/** Formats a canonical name for people: `alt+enter` → `Alt-Enter`, `escape escape` → `Esc Esc`. */
export function keyLabel(name: string): string {
  return name
    .split(' ')
    .map((key) => key.split('+').map(partLabel).join('-'))
    .join(' ')
}

const labels: Readonly<Record<string, string>> = { escape: 'Esc', pageup: 'PageUp', pagedown: 'PageDown' }

function partLabel(part: string): string {
  return labels[part] ?? part.charAt(0).toUpperCase() + part.slice(1)
}

function parseSingleKey(written: string): KeyName {
  // the key itself may be a plus sign
  const parts = (written.endsWith('+') ? [...written.slice(0, -1).split('+').slice(0, -1), '+'] : written.split('+'))
    .map((part) => part.toLowerCase())
    .map((part) => spellings[part] ?? part)
  const name = parts.at(-1) ?? ''
  const modifiersOf = parts.slice(0, -1)
  const unknown = modifiersOf.find((part) => !modifiers.some((modifier) => modifier === part))
  if (unknown !== undefined) return invalidKey(written, `"${unknown}" is not one of ${modifiers.join(', ')}`)
  const isCharacter = !specials.has(name)
  if (isCharacter && !/^\P{Cc}$/u.test(name)) {
    return invalidKey(written, `the keys with names are ${[...specials].join(', ')}`)
  }
  const types = isCharacter || name === 'space'
  if (types && !modifiersOf.some((modifier) => modifier !== 'shift')) {
    return invalidKey(written, 'it types a character; add ctrl, alt or super')
  }
  return { ok: true, name: [...modifiers.filter((modifier) => modifiersOf.includes(modifier)), name].join('+') }
}

function invalidKey(written: string, reason: string): KeyName {
  return { ok: false, problem: `${JSON.stringify(written)} is not a key: ${reason}` }
}
