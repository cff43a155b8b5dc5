// Turns the input schema of a server's tool into parameters for models and a validator of arguments.
// Guarantees: neither compiling nor checking holds the process for long, whatever schema and arguments are.
import type { TObject, TSchema } from '@sinclair/typebox'
import { foreignValidator } from '../../host/patterns/foreign-validator.ts'
import { compileDialect } from '../../streams/schema/compile-dialect.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { isDeeperThan, isRecord } from '../../streams/values/json.ts'
import { describingText } from '../content/foreign-text.ts'
import { weighSchema } from './weigh-schema.ts'

export interface InputSchema {
  readonly parameters: TObject
  /** Compiles on first use. Arguments that would take too long are left to the server. */
  readonly validate: ArgumentsValidator
  /** Why the schema does not compile; undefined if it does. Takes about a millisecond. */
  compileProblem(): string | undefined
}

/** @throws Failure `mcp_error` if the schema is not one of an object, or would cost too much */
export function readInputSchema(schema: unknown): InputSchema {
  const { problem, branches } = weighSchema(schema)
  if (problem !== undefined) throw refused(problem)
  if (!isRecord(schema)) throw refused('it is not an object')
  const { type = 'object' } = schema
  if (type !== 'object') throw refused('its type is not "object"')
  const { $id: _, ...own } = schema // of no use: no other schema refers to it
  const keyword = nameOfPart(own)
  if (keyword !== undefined) throw refused(`a part of it has "${keyword}"`)
  const check = foreignValidator((engine) => compileDialect({ ...own, type } as unknown as TSchema, engine))
  const maxArgumentsDepth = depthFor(branches)
  return {
    // a JSON Schema of an object, which is checked when it is compiled
    parameters: cleanDescriptions({ ...own, type }) as TObject,
    validate: (args) => (isDeeperThan(args, maxArgumentsDepth) ? [] : checkSafely(check, args)),
    compileProblem: () => problemOf(check),
  }
}

/** Checks of one value, at most: each of its levels multiplies them by the branches. */
const maxChecks = 100_000

/** Levels of arguments that can be checked in bounded time. */
function depthFor(branches: number): number {
  return branches === 0 ? 256 : Math.floor(Math.log(maxChecks) / Math.log(branches))
}

function checkSafely(check: ArgumentsValidator, args: unknown): ReturnType<ArgumentsValidator> {
  try {
    return check(args)
  } catch (thrown) {
    return [{ path: '', reason: `cannot be checked: ${reasonOf(thrown)}` }]
  }
}

/** The first check compiles; its outcome does not matter. */
function problemOf(check: ArgumentsValidator): string | undefined {
  try {
    check({})
    return undefined
  } catch (thrown) {
    return reasonOf(thrown)
  }
}

/** A recursion without an end leaves a RangeError. */
function reasonOf(thrown: unknown): string {
  return thrown instanceof RangeError ? 'the schema refers to itself without an end' : describeThrown(thrown)
}

/** They give parts names of their own, past what is weighed. */
const naming = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef']

/** The first of such keywords that a part of the schema has. */
function nameOfPart(schema: Readonly<Record<string, unknown>>): string | undefined {
  const parts: unknown[] = [schema]
  while (parts.length > 0) {
    const part = parts.pop()
    if (typeof part !== 'object' || part === null) continue
    const keyword = isRecord(part) ? naming.find((name) => typeof part[name] === 'string') : undefined
    if (keyword !== undefined) return keyword
    parts.push(...(Object.values(part) as readonly unknown[]))
  }
  return undefined
}

const maxDescriptionBytes = 4_096
const describing: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

/** Descriptions inside of a schema reach the model as well. The depth is bounded before. */
function cleanDescriptions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleanDescriptions)
  if (!isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      describing.has(key) && typeof value === 'string'
        ? describingText(value, maxDescriptionBytes)
        : cleanDescriptions(value),
    ]),
  )
}

function refused(reason: string): Failure {
  return new Failure('mcp_error', `its input schema cannot be used: ${reason}`)
}
