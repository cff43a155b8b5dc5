// The grep tool: finds lines of files by a regular expression.
// Guarantees: it leaves no trace, follows no link, and holds no more than 10,000 matches or 16 Mi characters.
import { catchError, defer, filter, map, of, reduce, takeWhile, from, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import { grepParameters } from '../generated/parameter-validators.js'
import { fileProblemResult } from '../shared/file-problem.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { argumentsValidator, GrepParameters } from '../shared/parameters.ts'
import type { Glob } from '../../host/patterns/glob.ts'
import { chooseEngine, searchWith } from './choose-engine.ts'
import type { EngineSearch } from './choose-engine.ts'
import type { FoundFile, LineSearch, SearchEnd, SearchEngine } from './search-engine.ts'
import {
  comparePaths,
  cutShortSentence,
  jsonName,
  readable,
  searchNotice,
  searchTarget,
  shownPath,
  unreadableSentence,
} from './search-scope.ts'
import type { SearchContext } from './search-scope.ts'

export interface SearchOptions {
  /** Emits the engine. Default: ripgrep if there is one, else Node. */
  readonly engine?: (search: EngineSearch) => Observable<SearchEngine>
  /** Milliseconds of one search. Default 30,000. */
  readonly limitMs?: number
}

export interface GrepDetails {
  /** Absolute. */
  readonly path: string
  readonly engine: SearchEngine['name']
  /** Lines found, at most 10,000. */
  readonly matches: number
  /** Files with a match. */
  readonly files: number
  /** The matches in the result. */
  readonly shown: number
  /** False if a limit ended the search or cut the result. */
  readonly isComplete: boolean
}

export const defaultSearchMs = 30_000
const defaultLimit = 100
const maxMatches = 10_000
const maxCharacters = 16 * 2 ** 20

export function createGrepTool({ engine = chooseEngine, limitMs = defaultSearchMs }: SearchOptions = {}): StreamTool<
  typeof GrepParameters
> {
  return defineTool({
    name: 'grep',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Search file contents. Shows path:line: text, 100 matches unless limit says more. Skips what .gitignore names.',
    parameters: GrepParameters,
    validate: argumentsValidator(grepParameters),
    sideEffectFree: true,
    capability: 'read',
    sandboxed: true,
    execute: (args, context) =>
      defer(() => {
        return compiledGlob(args).pipe(
          map((compiled) => lineSearch(args, compiled, context, limitMs)),
          switchMap((search) => searchWith(engine(context), (chosen) => runSearch(chosen, search, args, context))),
        )
      }).pipe(catchError((thrown: unknown) => of(problemResult(args, thrown)))),
  })
}

/** Emits the glob of the files; undefined without one. Its packages load with the first glob. */
function compiledGlob({ glob }: GrepParameters): Observable<Glob | undefined> {
  if (glob === undefined) return of(undefined)
  return from(import('../../host/patterns/glob.ts')).pipe(
    map(({ compileGlob }) => compileGlob(glob.replace(/^!/, ''), { hasBraces: true })),
  )
}

function lineSearch(args: GrepParameters, glob: Glob | undefined, context: SearchContext, limitMs: number): LineSearch {
  const isNegated = args.glob?.startsWith('!') === true
  const target = searchTarget(args.path, context)
  return {
    ...target,
    limitMs,
    pattern: args.pattern,
    isLiteral: args.literal ?? false,
    ignoreCase: args.ignoreCase ?? false,
    context: args.context ?? 0,
    globs: isNegated || args.glob === undefined ? [] : [args.glob],
    selects: (file) => glob === undefined || target.file !== undefined || glob.matches(file) !== isNegated,
  }
}

interface Collected {
  readonly files: FoundFile[]
  readonly matches: number
  readonly skipped: number
  readonly characters: number
  readonly end?: SearchEnd
}

const nothing = (): Collected => ({ files: [], matches: 0, skipped: 0, characters: 0 })

function runSearch(
  engine: SearchEngine,
  search: LineSearch,
  { limit = defaultLimit }: GrepParameters,
  context: SearchContext,
): Observable<ToolResult> {
  return defer(() => {
    let collected = nothing()
    const mayShow = readable(search.folder, context)
    return engine.lines(search).pipe(
      filter((value) => value.type === 'end' || mayShow(value.file)),
      takeWhile((value) => {
        collected = collect(collected, value)
        return collected.matches < maxMatches && collected.characters < maxCharacters
      }, true),
      reduce(() => undefined, undefined),
      map(() => grepResult(collected, { engine, search, limit, cwd: context.cwd })),
    )
  })
}

/** Appends in target. */
function collect({ files, matches, skipped, characters }: Collected, value: FoundFile | SearchEnd): Collected {
  if (value.type === 'end') return { files, matches, skipped, characters, end: value }
  files.push(value)
  return {
    files,
    matches: matches + countMatches(value),
    skipped: skipped + value.skipped,
    characters: characters + value.lines.reduce((sum, { text }) => sum + text.length, 0),
  }
}

function countMatches({ lines }: FoundFile): number {
  return lines.reduce((sum, { isMatch }) => sum + (isMatch ? 1 : 0), 0)
}

interface GrepQuestion {
  readonly engine: SearchEngine
  readonly search: LineSearch
  readonly limit: number
  readonly cwd: string
}

function grepResult(collected: Collected, { engine, search, limit, cwd }: GrepQuestion): ToolResult {
  const { files, matches, skipped, end } = collected
  files.sort((one, other) => comparePaths(one.file, other.file))
  const texts = takeMatches(files, limit).map((file) => fileText(file, search, cwd))
  const cut = truncateHead(texts.join(search.context > 0 ? '--\n' : ''), outputLimits)
  const shown = Math.min(matches, limit)
  const notice = searchNotice([
    matches > shown
      ? `${shown} of ${end ? matches : `over ${matches}`} matches are shown: narrow the search, or raise limit.`
      : undefined,
    matches <= shown && end === undefined ? `The search ended after ${matches} matches: narrow it.` : undefined,
    cut.cutBy === undefined
      ? undefined
      : `The rest is cut at ${formatBytes(outputLimits.maxBytes)} or ${outputLimits.maxLines} lines: narrow the search.`,
    skipped > 0 ? `Matches in lines of over 1,000,000 characters are left out: ${skipped}.` : undefined,
    cutShortSentence(end?.isCutShort === true, search.limitMs),
    unreadableSentence(end?.unreadable ?? 0),
  ])
  const details: GrepDetails = {
    path: search.file === undefined ? search.folder : `${search.folder}/${search.file}`,
    engine: engine.name,
    matches,
    files: files.length,
    shown,
    isComplete: matches <= shown && end?.isCutShort === false && cut.cutBy === undefined,
  }
  const text = matches === 0 ? 'No matches.\n' : cut.text.replace(/\n?$/, '\n')
  return textResult(`${text}${notice ?? ''}`.trimEnd(), { details })
}

/** The files up to the last match within the limit, and the context after it. */
function takeMatches(files: readonly FoundFile[], limit: number): FoundFile[] {
  let left = limit
  return files.flatMap((file) => {
    if (left <= 0) return []
    const lines = file.lines.filter(({ isMatch }) => (isMatch ? (left -= 1) >= 0 : left >= 0))
    return [{ ...file, lines }]
  })
}

/** `path:line: text` for a match, `path-line- text` for its context, `--` between blocks that do not touch. */
function fileText({ file, lines }: FoundFile, { folder, context }: LineSearch, cwd: string): string {
  const plain = shownPath(file, folder, cwd)
  // a name that has what stands between path and text
  const shown = /[:-]\d+[:-] /.test(plain) && !plain.startsWith('"') ? jsonName(plain) : plain
  let last = lines[0]?.number ?? 0
  return lines
    .map(({ number, text, isMatch }) => {
      const gap = context > 0 && number > last + 1 ? '--\n' : ''
      last = number
      const mark = isMatch ? ':' : '-'
      return `${gap}${shown}${mark}${number}${mark} ${text}\n`
    })
    .join('')
}

function problemResult({ path = '.', pattern }: GrepParameters, thrown: unknown): ToolResult {
  if (thrown instanceof Failure && thrown.code === 'bad_request') {
    const { message: reason } = thrown
    return errorResult(`Could not search for ${JSON.stringify(pattern)}: ${reason}. Set literal for plain text.`)
  }
  return fileProblemResult('search', path, thrown)
}
