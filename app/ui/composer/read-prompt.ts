// Reads the editor's content as a prompt with files and images, a shell command or a slash command.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readFileArgument, suggestFile } from '../../cli/input/file-argument.ts'
import type { Submission } from '../contract/submission.ts'
import { textOfUnits } from '../editor/unit.ts'
import type { Unit } from '../editor/unit.ts'

/**
 * Returns undefined for an empty prompt. Puts the text of each existing `@file`, and the names in each `@folder/`,
 * before the words, like `rxpi -p @file`; any other `@…` is text (see `missingFiles`).
 * @param cwd absolute base of relative paths
 * @param known a text that already contains its files
 * @throws Failure `bad_request` for a file that cannot be sent
 */
export function readPrompt(units: readonly Unit[], cwd: string, known = ''): Submission | undefined {
  const text = textOfUnits(units).trim()
  if (text === '') return undefined
  const images = units.flatMap((unit) => (typeof unit !== 'string' && unit.kind === 'image' ? [unit.image] : []))
  const sent = new Set(filesIn(known, cwd))
  const files = filesIn(text, cwd)
    .filter((file) => !sent.has(file))
    .map((file) => readFileArgument(file, cwd))
  const blocks = files.flatMap((file) => ('text' in file ? [file.text] : []))
  const pictures = files.flatMap((file) => ('image' in file ? [file.image] : []))
  return { text: [...blocks, text].join('\n\n'), images: [...images, ...pictures] }
}

/** Existing files and folders that the text names, each once, as written. */
function filesIn(text: string, cwd: string): string[] {
  const named = mentionsIn(text).map((spellings) => spellings.find((file) => canBeSent(resolve(cwd, file), file)))
  return [...new Set(named.filter((file) => file !== undefined))]
}

/** Each mention, as written and without the punctuation after it. */
function mentionsIn(text: string): string[][] {
  return Array.from(text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g), ([, quoted, bare = '']) =>
    [quoted ?? bare, bare.replace(/[.,;:!?)\]}'"]+$/, '')].filter((file) => file !== ''),
  )
}

/** A folder needs its slash: `@src` may be a word. */
function canBeSent(path: string, written: string): boolean {
  try {
    const status = statSync(path, { throwIfNoEntry: false })
    return status?.isFile() === true || (status?.isDirectory() === true && written.endsWith('/'))
  } catch {
    return false // an invalid or unreadable path names no file
  }
}

/** One sentence for each mention that looks like a file name, and names none; such a mention is sent as text. */
export function missingFiles(text: string, cwd: string): readonly string[] {
  const missing = mentionsIn(text).flatMap((spellings) => {
    const name = spellings.at(-1) ?? ''
    const isPath = /\.[a-z][a-z0-9]{0,9}$/i.test(name) || name.endsWith('/')
    if (!isPath || spellings.some((file) => existsSync(resolve(cwd, file)))) return []
    const near = suggestFile(resolve(cwd, name))
    return [`There is no file ${name}${near === '' ? ` in ${cwd}` : near}`]
  })
  return [...new Set(missing)]
}

/** A prompt, a shell command of the user, or a slash command. */
type WrittenInput =
  | ({ readonly kind: 'prompt' } & Submission)
  /** `forModel`: the model sees the command and its output. */
  | { readonly kind: 'bash'; readonly command: string; readonly forModel: boolean }
  /** `name` without its slash; `argument` is '' for none. */
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/**
 * Returns undefined for an empty input. A space before `/`, `!` or `exit` makes it a prompt; see `readPrompt`.
 * @param cwd absolute base of relative paths
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
  if (isText && written.trimEnd() === 'exit') return { kind: 'command', name: 'exit', argument: '' }
  const slash = /^\/([A-Za-z][\w.:-]*)(?:\s+([^]*))?$/.exec(written.trimEnd())
  if (slash !== null && isText) return { kind: 'command', name: slash[1] ?? '', argument: slash[2] ?? '' }
  const prompt = readPrompt(units, cwd)
  return prompt === undefined ? undefined : { kind: 'prompt', ...prompt }
}
