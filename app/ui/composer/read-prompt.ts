// Words for the model, with the files and pictures that go along with them.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileArgument } from '../../cli/file-argument.ts'
import type { Submission } from '../contract/submission.ts'
import { textOfUnits } from '../editor/text-buffer.ts'
import type { Unit } from '../editor/text-buffer.ts'

/**
 * Undefined where there is nothing to send. `@file` of a file that is there puts it before the words, as `rxpi -p @file` does;
 * any other `@…` is text.
 * @param cwd what paths are relative to, absolute
 * @param known a text whose files are in it already
 * @throws Failure `bad_request` for a file that cannot be sent
 */
export function readPrompt(units: readonly Unit[], cwd: string, known = ''): Submission | undefined {
  const text = textOfUnits(units).trim()
  if (text === '') return undefined
  const images = units.flatMap((unit) => (typeof unit !== 'string' && unit.kind === 'image' ? [unit.image] : []))
  const sent = new Set(filesIn(known, cwd))
  const files = filesIn(text, cwd)
    .filter((file) => !sent.has(file))
    .map((file) => fileArgument(file, cwd))
  const blocks = files.flatMap((file) => ('text' in file ? [file.text] : []))
  const pictures = files.flatMap((file) => ('image' in file ? [file.image] : []))
  return { text: [...blocks, text].join('\n\n'), images: [...images, ...pictures] }
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

// What was written is a prompt with its files and images, a command of the user's own, or a slash command; nothing else.

type WrittenInput =
  | ({ readonly kind: 'prompt' } & Submission)
  /** `forModel`: the model is told of it. */
  | { readonly kind: 'bash'; readonly command: string; readonly forModel: boolean }
  /** `name` without its slash; `argument` is '' where none was given. */
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/**
 * Undefined where there is nothing to send. A space before `/` or `!` makes a prompt of it; see `readPrompt`.
 * @param cwd what paths are relative to, absolute
 * @throws Failure `bad_request` for a file that cannot be sent
 */
export function readInput(units: readonly Unit[], cwd: string): WrittenInput | undefined {
  const written = textOfUnits(units)
  const isText = units.every((unit) => typeof unit === 'string' || unit.kind === 'paste')
  const own = /^(!!?)([^]*)$/.exec(written)
  if (own !== null && isText) {
    const command = (own[2] ?? '').trim()
    return command === '' ? undefined : { kind: 'bash', command, forModel: own[1] === '!' }
  }
  const slash = /^\/([a-z][a-z-]*)(?:\s+([^]*))?$/.exec(written.trimEnd())
  if (slash !== null && isText) return { kind: 'command', name: slash[1] ?? '', argument: slash[2] ?? '' }
  const prompt = readPrompt(units, cwd)
  return prompt === undefined ? undefined : { kind: 'prompt', ...prompt }
}
