// Defines a tool with parameters of TypeBox, a Standard Schema or JSON Schema, and types its methods.
import { EMPTY, concatMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { TObject } from '@sinclair/typebox'
import { overrideTool } from './override-tool.ts'
import { errorResult } from '../ports/tool.ts'
import type { AnyTool, Tool, ToolContext, ToolOutput, ToolProgress, ToolResult } from '../ports/tool.ts'
import { fromAbortable } from '../rx/from-abortable.ts'
import type { ArgumentsOf, HeldSchema, ToolParameters } from './schema-arguments.ts'
import { isStandardSchema, jsonSchemaOf, problemsOf } from './standard-schema.ts'
import type { StandardIssue, StandardResult } from './standard-schema.ts'
import { outputOf } from './tool-output.ts'
import { Failure } from '../values/failure.ts'
import { isRecord } from '../values/json.ts'

/** A tool with parameters in any of the schemas that `defineTool` takes. */
export type ToolSpec<Parameters extends ToolParameters, Output extends ToolOutput = ToolOutput> = Omit<
  Tool<HeldSchema<Parameters>, ArgumentsOf<Parameters>, Output>,
  'parameters'
> & { readonly parameters: Parameters }

/**
 * The tool that `defineTool` returns for a spec: its `parameters` are a JSON Schema. `execute` returns what that of the spec returns, or
 * with a Standard Schema an Observable if it refuses the arguments.
 */
export type DefinedTool<Parameters extends ToolParameters, Output extends ToolOutput = ToolOutput> = Tool<
  HeldSchema<Parameters>,
  ArgumentsOf<Parameters>,
  Output | Observable<ToolProgress | ToolResult>
>

/**
 * `defineTool({ name, description, parameters, execute: (args, context) => … })` gives `args` the type of `parameters`:
 *
 * - TypeBox 0.34 or 1.x, and plain JSON Schema: returns its argument. Without `validate`, `createSession` compiles the schema
 *   on first use; `openSession` of `rxpi/core` needs a `validatorOf`.
 * - Standard Schema (zod, ArkType, valibot by `toStandardJsonSchema`): the schema itself validates. The methods receive its
 *   output, after defaults and transforms; the log, hooks and policy have the arguments as the model sent them.
 *
 * @throws Failure `bad_request` if the schema does not describe an object, or has no JSON Schema
 */
export function defineTool<const Parameters extends ToolParameters, Output extends ToolOutput>(
  tool: ToolSpec<Parameters, Output>,
): DefinedTool<Parameters, Output> {
  // The casts: a tool of any parameters, as a registry holds it.
  const held = tool as unknown as AnyTool
  const subject = `The parameters of the tool "${tool.name}"`
  if (!isStandardSchema(tool.parameters)) {
    requireObject(tool.parameters, subject)
    return held as DefinedTool<Parameters, Output>
  }
  const schema = jsonSchemaOf(tool.parameters, subject)
  requireObject(schema, subject)
  const parameters = schema as unknown as TObject
  const { validate } = tool.parameters['~standard']
  const methods = validate === undefined ? {} : validatedMethods(held, (args) => validate(args))
  return overrideTool(held, { parameters, ...methods }) as DefinedTool<Parameters, Output>
}

function requireObject(schema: unknown, subject: string): void {
  if (isRecord(schema) && schema['type'] === 'object') return
  const form = !isRecord(schema)
    ? schema === null
      ? 'null'
      : typeof schema
    : 'type' in schema
      ? JSON.stringify(schema['type'])
      : 'no type'
  throw new Failure('bad_request', `${subject} must have the type "object" and have ${form}: wrap them in an object`)
}

type Result = StandardResult<unknown>
type Execution = ReturnType<Tool['execute']>
type Validate = (args: unknown) => Result | PromiseLike<Result>

/** The tool's methods on the output of the schema, and `validate`. The schema runs for each call of them; nothing is stored. */
function validatedMethods(tool: AnyTool, validate: Validate): Partial<AnyTool> {
  const execute = (result: Result, context: ToolContext): Execution =>
    result.issues === undefined
      ? tool.execute(result.value as never, context)
      : of(errorResult(describeIssues(tool, result.issues)))
  const output = (args: unknown): never => {
    const result = validate(args)
    if (isPromiseLike(result)) throw new Failure('bad_request', describeAsynchronous(tool))
    if (result.issues !== undefined) throw new Failure('bad_request', describeIssues(tool, result.issues))
    return result.value as never
  }
  return {
    validate: (args) => {
      const result = validate(args)
      if (!isPromiseLike(result)) return problemsOf(result.issues ?? [])
      result.then(undefined, () => undefined) // `execute` validates again and reports the rejection
      return []
    },
    execute: (args: unknown, context) => {
      const result = validate(args)
      if (!isPromiseLike(result)) return execute(result, context)
      return fromAbortable(() => result).pipe(concatMap((validated) => outputOf(execute(validated, context), context)))
    },
    ...(tool.locks && { locks: (args, context) => tool.locks?.(output(args), context) ?? {} }),
    ...(tool.workingContext && {
      workingContext: (args, context) =>
        tool.workingContext?.(output(args), context) ?? { cwd: context.cwd, changed: [] },
    }),
    ...(tool.previewDiff && { previewDiff: (args, context) => tool.previewDiff?.(output(args), context) ?? EMPTY }),
  }
}

function describeIssues({ name }: AnyTool, issues: readonly StandardIssue[]): string {
  const listed = problemsOf(issues).map(({ path, reason }) => `- ${path || 'arguments'}: ${reason}`)
  return `The arguments of ${name} are not valid:\n${listed.join('\n')}`
}

function describeAsynchronous({ name }: AnyTool): string {
  return `The schema of the tool "${name}" validates asynchronously: locks, workingContext and previewDiff need one that does not`
}

function isPromiseLike(result: Result | PromiseLike<Result>): result is PromiseLike<Result> {
  return 'then' in result && typeof result.then === 'function'
}
