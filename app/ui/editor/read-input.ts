// What was written is a prompt with its files and images, a command of the user's own, or a slash command; nothing else.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ImageContent } from '../../../lib/streams/message.ts'
import { fileArgument } from '../../file-argument.ts'
import { textOfUnits } from './unit.ts'
import type { Unit } from './unit.ts'

export type WrittenInput =
  | { readonly kind: 'prompt'; readonly text: string; readonly images: readonly ImageContent[] }
  /** `isSeen`: the model is told of it. */
  | { readonly kind: 'bash'; readonly command: string; readonly isSeen: boolean }
  /** `name` without its slash; `argument` is '' where none was given. */
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/**
 * Undefined where there is nothing to send. A space before `/` or `!` makes a prompt of it. `@file` of a file that is there
 * puts it before the words, as `rxpi -p @file` does; any other `@…` is text.
 * @param cwd what paths are relative to, absolute
 * @throws Failure `bad_request` for a file that cannot be sent
 */
export function readInput(units: readonly Unit[], cwd: string): WrittenInput | undefined {
  const written = textOfUnits(units)
  const text = written.trim()
  if (text === '') return undefined
  const images = units.flatMap((unit) => (typeof unit !== 'string' && unit.kind === 'image' ? [unit.image] : []))
  const own = /^(!!?)([^]*)$/.exec(written)
  if (own !== null && images.length === 0) {
    const command = (own[2] ?? '').trim()
    return command === '' ? undefined : { kind: 'bash', command, isSeen: own[1] === '!' }
  }
  const slash = /^\/([a-z][a-z-]*)(?:\s+([^]*))?$/.exec(written.trimEnd())
  if (slash !== null && images.length === 0) return { kind: 'command', name: slash[1] ?? '', argument: slash[2] ?? '' }
  const files = filesIn(text, cwd).map((file) => fileArgument(file, cwd))
  const blocks = files.flatMap((file) => ('text' in file ? [file.text] : []))
  const pictures = files.flatMap((file) => ('image' in file ? [file.image] : []))
  return { kind: 'prompt', text: [...blocks, text].join('\n\n'), images: [...images, ...pictures] }
}

/** The files that are there, each once, as they were written. */
function filesIn(text: string, cwd: string): string[] {
  const named = Array.from(text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g), ([, quoted, bare = '']) =>
    [quoted ?? bare, bare.replace(/[.,;:!?)\]}'"]+$/, '')].find((file) => file !== '' && isFile(resolve(cwd, file))),
  )
  return [...new Set(named.filter((file) => file !== undefined))]
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false // a path through a file, or into a folder that may not be read, names no file
  }
}
