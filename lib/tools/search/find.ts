// The find tool: finds files and folders by a glob.
// Guarantees: it leaves no trace, follows no link, and holds no more than 100,000 paths.
import { catchError, defer, map, of, reduce, takeWhile, from, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import { findParameters } from '../generated/parameter-validators.js'
import { fileProblemResult } from '../shared/file-problem.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { argumentsValidator, FindParameters } from '../shared/parameters.ts'
import type { Glob } from '../../host/patterns/glob.ts'
import { defaultSearchMs } from './grep.ts'
import type { SearchOptions } from './grep.ts'
import { chooseEngine, searchWith } from './choose-engine.ts'
import type { ListedPaths, SearchEnd, SearchEngine } from './search-engine.ts'
import {
  comparePaths,
  cutShortSentence,
  readable,
  searchNotice,
  searchTarget,
  shownPath,
  unreadableSentence,
} from './search-scope.ts'

export interface FindDetails {
  /** Absolute. */
  readonly path: string
  readonly engine: SearchEngine['name']
  /** Paths found, at most 100,000. */
  readonly matches: number
  /** The paths in the result. */
  readonly shown: number
  /** False if a limit ended the search or cut the result. */
  readonly isComplete: boolean
}

const defaultLimit = 1_000
const maxMatches = 100_000

export function createFindTool({ engine = chooseEngine, limitMs = defaultSearchMs }: SearchOptions = {}): StreamTool<
  typeof FindParameters
> {
  return defineTool({
    name: 'find',
    maxResultBytes: 0, // it limits its output itself
    description: 'Find files and folders by glob, sorted, at most 1000. Skips what .gitignore names.',
    parameters: FindParameters,
    validate: argumentsValidator(findParameters),
    sideEffectFree: true,
    capability: 'read',
    sandboxed: true,
    execute: ({ pattern, path = '.', limit = defaultLimit }, context) =>
      defer(() => {
        const { cwd } = context
        const { folder, file } = searchTarget(path, context)
        const mayShow = readable(folder, context)
        if (file !== undefined) return of(errorResult(`${path} is a file; find searches folders.`))
        const foldersOnly = pattern.endsWith('/')
        return from(import('../../host/patterns/glob.ts')).pipe(
          map(({ compileGlob }) => compileGlob(pattern.replace(/\/$/, ''), { hasBraces: true })),
          switchMap((glob) =>
            searchWith(engine(context), (chosen) =>
              findPaths(chosen.files({ folder, limitMs, containing: glob.needed }), {
                glob,
                foldersOnly,
                mayShow,
              }).pipe(map((found) => findResult(found, { engine: chosen, folder, cwd, limit, limitMs }))),
            ),
          ),
        )
      }).pipe(catchError((thrown: unknown) => of(fileProblemResult('search', path, thrown)))),
  })
}

interface Found {
  readonly paths: string[]
  readonly end: SearchEnd | undefined
}

interface PathQuestion {
  readonly glob: Glob
  readonly foldersOnly: boolean
  /** False for what the fence hides. */
  mayShow(file: string): boolean
}

function findPaths(
  values$: Observable<ListedPaths | SearchEnd>,
  { glob, foldersOnly, mayShow }: PathQuestion,
): Observable<Found> {
  return defer(() => {
    const paths: string[] = []
    const addFolders = folderFinder((above) => glob.matches(above) && paths.push(`${above}/`))
    let end: SearchEnd | undefined
    return values$.pipe(
      takeWhile((value) => {
        if (value.type === 'end') {
          end = value
          return false
        }
        for (const file of value.files) {
          if (!mayShow(file)) continue
          if (!foldersOnly && glob.matches(file)) paths.push(file)
          addFolders(file)
        }
        return paths.length < maxMatches
      }),
      reduce(() => undefined, undefined),
      map(() => ({ paths, end })),
    )
  })
}

/** Calls `onFolder` for each folder above a file that is met for the first time. */
function folderFinder(onFolder: (folder: string) => void): (file: string) => void {
  const known = new Set<string>()
  let last = '/' // a search lists the files of a folder one after the other
  return (file) => {
    const slash = file.lastIndexOf('/')
    if (slash === last.length && file.startsWith(last)) return
    if (slash > 0) last = file.slice(0, slash)
    for (let end = slash; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const above = file.slice(0, end)
      if (known.has(above)) return
      known.add(above)
      onFolder(above)
    }
  }
}

interface FindQuestion {
  readonly engine: SearchEngine
  readonly folder: string
  readonly cwd: string
  readonly limit: number
  readonly limitMs: number
}

function findResult({ paths, end }: Found, { engine, folder, cwd, limit, limitMs }: FindQuestion): ToolResult {
  const sorted = paths.sort(comparePaths).slice(0, limit)
  const lines = sorted.map((file) => {
    const shown = shownPath(file, folder, cwd)
    return file.endsWith('/') && !shown.endsWith('/') && !shown.endsWith('"') ? `${shown}/` : shown
  })
  const cut = truncateHead(lines.join('\n'), outputLimits)
  const shown = cut.cutBy === undefined ? lines.length : cut.lines
  const notice = searchNotice([
    paths.length > shown
      ? `${shown} of ${end ? paths.length : `over ${paths.length}`} paths are shown: narrow the pattern or path, or raise limit.`
      : undefined,
    cut.cutBy === undefined ? undefined : `At most ${formatBytes(outputLimits.maxBytes)} are shown.`,
    cutShortSentence(end?.isCutShort === true, limitMs),
    unreadableSentence(end?.unreadable ?? 0),
  ])
  const isComplete = paths.length === shown && end?.isCutShort === false
  const details: FindDetails = { path: folder, engine: engine.name, matches: paths.length, shown, isComplete }
  const text = paths.length === 0 ? 'No files found.' : cut.text.trimEnd()
  return textResult(notice === undefined ? text : `${text}\n${notice}`, { details })
}
