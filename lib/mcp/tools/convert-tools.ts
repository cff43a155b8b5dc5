// Converts the tools that a server lists, within bounds, and leaves out those that cannot be used.
import { map, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpTool } from '../contract/mcp-offer.ts'
import type { ListedTool } from '../contract/mcp-peer.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { describingLine } from '../content/foreign-text.ts'
import { convertTool } from './convert-tool.ts'
import type { ToolSource } from './call-tool.ts'
import type { ConvertedTool } from './convert-tool.ts'
import { countOf } from '../../streams/values/count-of.ts'

const maxTools = 1_000
/** Notices of one list; the rest is a number. */
const maxNotices = 20

export interface ConvertedTools {
  readonly tools: readonly McpTool[]
  /** Sentences for people about what was left out. */
  readonly notices: readonly string[]
}

type Filter = Pick<McpServer, 'tools'>

/**
 * Converts remembered tools at once: their schemas compiled when they were listed, and compile again with the first call of each.
 */
export function convertRememberedTools(listed: readonly ListedTool[], source: ToolSource & Filter): ConvertedTools {
  return collect([...convertEach(listed, source)], listed, source)
}

/**
 * Converts a list of a server, and compiles each schema: 1,000 may take a second. Emits once and completes; yields to the event loop
 * meanwhile.
 */
export function convertListedTools(
  listed: readonly ListedTool[],
  source: ToolSource & Filter,
): Observable<ConvertedTools> {
  return inSlices(() => compileEach(convertEach(listed, source))).pipe(
    toArray(),
    map((outcomes) => collect(outcomes, listed, source)),
  )
}

type Outcome = ConvertedTool | { readonly name: string; readonly problem: string }

function* convertEach(listed: readonly ListedTool[], source: ToolSource & Filter): Generator<Outcome, void> {
  for (const each of listed.filter(wantedBy(source)).slice(0, maxTools)) {
    yield attempt(each.name, () => convertTool(each, source))
  }
}

function* compileEach(outcomes: Iterable<Outcome>): Generator<Outcome, void> {
  for (const outcome of outcomes) {
    const problem = 'tool' in outcome ? outcome.compileProblem() : undefined
    yield 'tool' in outcome && problem !== undefined
      ? { name: outcome.tool.mcp.tool, problem: `its input schema cannot be used: ${problem}` }
      : outcome
  }
}

function attempt(name: string, convert: () => ConvertedTool): Outcome {
  try {
    return convert()
  } catch (thrown) {
    return { name, problem: Failure.from(thrown, 'mcp_error').message }
  }
}

function collect(outcomes: readonly Outcome[], listed: readonly ListedTool[], source: Filter): ConvertedTools {
  const refused = outcomes
    .filter((outcome) => 'problem' in outcome)
    .map(({ name, problem }) => `The tool "${describingLine(name, 256)}" is left out: ${describingLine(problem, 512)}.`)
  const over = listed.filter(wantedBy(source)).length - maxTools
  const notices = [
    ...refused.slice(0, maxNotices),
    ...(refused.length > maxNotices ? [`Left out as well: ${countOf(refused.length - maxNotices, 'tool')}.`] : []),
    ...(over > 0
      ? [`${countOf(over, 'tool')} ${over === 1 ? 'is' : 'are'} left out: a server can have ${maxTools}.`]
      : []),
  ]
  return { tools: outcomes.flatMap((outcome) => ('tool' in outcome ? [outcome.tool] : [])), notices }
}

/** The filter of the configuration: `exclude` wins. */
function wantedBy({ tools: { include, exclude = [] } = {} }: Filter): (listed: ListedTool) => boolean {
  const matches = (patterns: readonly string[], name: string): boolean =>
    patterns.some((pattern) => isMatch(pattern, name))
  return ({ name }) => (include === undefined || matches(include, name)) && !matches(exclude, name)
}

/** `*` stands for any characters. Takes linear time for each `*`. */
function isMatch(pattern: string, name: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return name === pattern
  if (!name.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - end.length >= at && name.endsWith(end)
}
