// Searches without ripgrep, in plain Node, with equal results.
// Guarantees: patterns match in linear time (RE2), and a pipe or device never holds the search.
import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { from, Observable } from 'rxjs'
import { RE2JS } from 're2js'
import { Failure } from '../../streams/values/failure.ts'
import { ignoreRulesOf } from '../../host/patterns/ignore-rules.ts'
import type { IgnoreRules } from '../../host/patterns/ignore-rules.ts'
import { maxFileBytes, maxFileMatches, maxLineLength, shownLine } from './search-engine.ts'
import type {
  FoundFile,
  FoundLine,
  LineSearch,
  ListedPaths,
  SearchEnd,
  SearchEngine,
  SearchScope,
} from './search-engine.ts'

export function createNodeEngine(): SearchEngine {
  return {
    name: 'node',
    files: (scope) => fromGenerator((signal) => listPaths(scope, signal)),
    lines: (search) => fromGenerator((signal) => searchLines(search, signal)),
  }
}

/** Unsubscribing aborts the signal; the generator looks at it before each step. */
function fromGenerator<Value>(generate: (signal: AbortSignal) => AsyncIterable<Value>): Observable<Value> {
  return new Observable((subscriber) => {
    const controller = new AbortController()
    subscriber.add(() => controller.abort())
    subscriber.add(from(generate(controller.signal)).subscribe(subscriber))
  })
}

/** The state of one search. */
interface WalkState {
  unreadable: number
  isOver(): boolean
  /** Lets others run if 10 ms have passed; true if the search is over. */
  pause(): Promise<boolean>
  isLate(): boolean
}

function startWalk({ limitMs }: SearchScope, signal: AbortSignal): WalkState {
  const end = performance.now() + limitMs
  const isLate = (): boolean => performance.now() >= end
  const isOver = (): boolean => signal.aborted || isLate()
  let slice = performance.now()
  const pause = async (): Promise<boolean> => {
    if (performance.now() - slice < 10) return isOver()
    await setImmediate()
    slice = performance.now()
    return isOver()
  }
  return { unreadable: 0, isLate, isOver, pause }
}

function endOf(state: WalkState): SearchEnd {
  return { type: 'end', isCutShort: state.isLate(), unreadable: state.unreadable }
}

async function* listPaths(scope: SearchScope, signal: AbortSignal): AsyncGenerator<ListedPaths | SearchEnd> {
  const state = startWalk(scope, signal)
  let files: string[] = []
  for await (const file of walk(scope.folder, state)) {
    files.push(file)
    if (files.length < 1000) continue
    yield { type: 'files', files }
    files = []
  }
  yield { type: 'files', files }
  yield endOf(state)
}

/** The relative paths of all regular files. */
async function* walk(top: string, state: WalkState): AsyncGenerator<string> {
  const waiting: { readonly folder: string; readonly rules: IgnoreRules }[] = [
    { folder: top, rules: await ignoreRulesOf(top) },
  ]
  for (let next = waiting.pop(); next !== undefined && !state.isOver(); next = waiting.pop()) {
    const { folder, rules } = next
    try {
      for await (const entry of await opendir(folder, { bufferSize: 512 })) {
        if (state.isOver()) return
        const file = path.join(folder, entry.name)
        const isFolder = entry.isDirectory()
        if (entry.name.includes('\u{FFFD}') || (!isFolder && !entry.isFile()) || rules.ignores(file, isFolder)) continue
        if (isFolder) waiting.push({ folder: file, rules: await rules.below(file) })
        else yield path.relative(top, file)
      }
    } catch {
      state.unreadable += 1 // vanished, or not accessible: counted and reported
    }
  }
}

async function* searchLines(search: LineSearch, signal: AbortSignal): AsyncGenerator<FoundFile | SearchEnd> {
  const find = compilePattern(search)
  const state = startWalk(search, signal)
  const files = search.file === undefined ? walk(search.folder, state) : [search.file]
  for await (const file of files) {
    if (state.isOver()) break
    if (!search.selects(file)) continue
    const text = await readSearchable(path.join(search.folder, file), search.file !== undefined, state)
    if (text === undefined) continue
    const found = await findLines(text, find, search.context, state)
    if (found.lines.length > 0 || found.skipped > 0) yield { type: 'file', file, ...found }
  }
  yield endOf(state)
}

/** Finds the index of the first match in a line; -1 for none. */
type FindMatch = (line: string) => number

/** @throws Failure `bad_request` if the pattern is invalid */
function compilePattern({ pattern, isLiteral, ignoreCase }: LineSearch): FindMatch {
  if (isLiteral && !ignoreCase) return (line) => line.indexOf(pattern)
  try {
    const source = isLiteral ? RE2JS.quote(pattern) : pattern
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return (line) => {
      const matcher = compiled.matcher(line)
      return matcher.find() ? matcher.start() : -1
    }
  } catch (thrown) {
    throw new Failure('bad_request', 'the pattern is not a valid regular expression', { cause: thrown })
  }
}

/** The file's text; undefined for one that is binary, too large, no file, or not readable (then it is counted). */
async function readSearchable(file: string, isNamed: boolean, state: WalkState): Promise<string | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const status = await handle.stat()
      if (!status.isFile()) return undefined
      if (status.size > maxFileBytes) {
        if (isNamed) throw new Failure('bad_request', tooLarge(file))
        return undefined
      }
      return decode(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    state.unreadable += 1
    return undefined
  }
}

function tooLarge(file: string): string {
  return `${file} is over 64 MB, which only ripgrep searches, and ripgrep is missing or died`
}

/** UTF-8, or UTF-16 with a byte order mark; undefined for other content with NUL bytes. */
function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  if (bytes.includes(0)) return undefined
  return bytes.toString('utf8').replace(/^\u{FEFF}/u, '')
}

/** Lets others run after each 10 ms. */
async function findLines(text: string, find: FindMatch, context: number, state: WalkState) {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  const lines: FoundLine[] = []
  let [skipped, matches, until, shown] = [0, 0, -1, -1]
  const add = (index: number, isMatch: boolean, at?: number): void => {
    const line = all[index] ?? ''
    if (line.length <= maxLineLength) lines.push({ number: index + 1, text: shownLine(line, at), isMatch })
    else if (isMatch) skipped += 1
    shown = index
  }
  for (let index = 0; index < all.length; index += 1) {
    if (index % 200 === 199 && (await state.pause())) break
    const at = matches < maxFileMatches ? find((all[index] ?? '').replace(/\r$/, '')) : -1
    if (at < 0) {
      if (index <= until) add(index, false)
      else if (matches >= maxFileMatches) break
      continue
    }
    for (let before = Math.max(shown + 1, index - context); before < index; before += 1) add(before, false)
    add(index, true, at)
    matches += 1
    until = index + context
  }
  return { lines, skipped }
}
