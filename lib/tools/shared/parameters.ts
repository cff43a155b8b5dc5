// Defines the parameters of the built-in tools.
// They are short, as every request carries them.
import { Type } from '@sinclair/typebox'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { stringEnum } from '../../streams/schema/schema-helpers.ts'
import { describeError } from '../../streams/schema/compiled-validator.ts'
import type { CompiledValidator, ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'

const path = Type.String()

/** Parameters of the tool `read`. */
export const ReadParameters = Type.Object({
  path,
  offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line, 1-based' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Line count' })),
  hashes: Type.Optional(Type.Boolean({ description: 'Show N#hash:text for hashline_edit' })),
})
export type ReadParameters = Static<typeof ReadParameters>

/** Parameters of the tool `write`. */
export const WriteParameters = Type.Object({ path, content: Type.String() })
export type WriteParameters = Static<typeof WriteParameters>

/** Parameters of the tool `edit`. */
export const EditParameters = Type.Object({
  path,
  edits: Type.Array(
    Type.Object({
      oldText: Type.String({ description: 'Exact text to replace' }),
      newText: Type.String(),
    }),
    { minItems: 1 },
  ),
})
export type EditParameters = Static<typeof EditParameters>

const anchor = Type.Optional(Type.String({ description: 'N#hash' }))

/** Parameters of the tool `edit` by anchors, `hashlineEdit`. */
export const HashlineEditParameters = Type.Object({
  path,
  edits: Type.Array(
    Type.Object({
      op: stringEnum(['replace', 'append', 'prepend']),
      pos: anchor,
      end: anchor,
      lines: Type.Array(Type.String(), { description: 'Text without anchors' }),
    }),
    { minItems: 1 },
  ),
})
export type HashlineEditParameters = Static<typeof HashlineEditParameters>

/** Parameters of the tool `bash`. */
export const BashParameters = Type.Object({
  command: Type.String(),
  timeout: Type.Optional(Type.Number({ minimum: 0, maximum: 2_147_483, description: 'Seconds; 0 = no limit' })),
  background: Type.Optional(Type.Boolean({ description: 'Run as a job; returns its id' })),
  pty: Type.Optional(Type.Boolean({ description: 'Job in a terminal, for job_input' })),
  escalate: Type.Optional(Type.String({ description: 'Why to run it outside the sandbox; a person decides' })),
})
export type BashParameters = Static<typeof BashParameters>

const searchFolder = Type.Optional(Type.String())
const searchLimit = Type.Optional(Type.Integer({ minimum: 1 }))

/** Parameters of the tool `grep`. */
export const GrepParameters = Type.Object({
  pattern: Type.String({ description: 'Regular expression' }),
  path: searchFolder,
  glob: Type.Optional(Type.String({ description: 'Files to search, e.g. *.ts' })),
  ignoreCase: Type.Optional(Type.Boolean()),
  literal: Type.Optional(Type.Boolean()),
  context: Type.Optional(Type.Integer({ minimum: 0, maximum: 50, description: 'Lines around each match' })),
  limit: searchLimit,
})
export type GrepParameters = Static<typeof GrepParameters>

/** Parameters of the tool `find`. */
export const FindParameters = Type.Object({
  pattern: Type.String({ description: 'Glob, e.g. *.ts or src/**/*.test.ts' }),
  path: searchFolder,
  limit: searchLimit,
})
export type FindParameters = Static<typeof FindParameters>

/** Parameters of the tool `ls`. */
export const LsParameters = Type.Object({ path: searchFolder, limit: searchLimit })
export type LsParameters = Static<typeof LsParameters>

const id = Type.String({ description: 'Job id' })

/** Parameters of the tool `job_output`. */
export const JobOutputParameters = Type.Object({
  id,
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Skip output already read' })),
  wait: Type.Optional(Type.Number({ minimum: 0, maximum: 60 })),
})
export type JobOutputParameters = Static<typeof JobOutputParameters>

/** Parameters of the tool `job_input`. */
export const JobInputParameters = Type.Object({
  id,
  text: Type.String(),
  escalate: Type.Optional(Type.String({ description: 'Why, for a job outside the sandbox; a person decides' })),
})
export type JobInputParameters = Static<typeof JobInputParameters>

/** Parameters of the tool `job_kill`. */
export const JobKillParameters = Type.Object({ id })
export type JobKillParameters = Static<typeof JobKillParameters>
/** Parameters of the tool `todo`. */
export const TodoParameters = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.Optional(Type.String()),
      text: Type.String(),
      state: stringEnum(['pending', 'in_progress', 'done', 'dropped']),
    }),
  ),
})
export type TodoParameters = Static<typeof TodoParameters>

/** Parameters of the tool `ask`. */
export const AskParameters = Type.Object({
  question: Type.String(),
  options: Type.Optional(Type.Array(Type.String(), { description: 'Answers to choose from' })),
})
export type AskParameters = Static<typeof AskParameters>

/** Parameters of the tool `propose_plan`. */
export const ProposePlanParameters = Type.Object({
  plan: Type.String({ description: 'The whole plan, in Markdown' }),
})
export type ProposePlanParameters = Static<typeof ProposePlanParameters>

/** Parameters of the tool `search_tools`. */
export const SearchToolsParameters = Type.Object({
  query: Type.String({ description: 'Words: what the tool does, and for which service' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 5' })),
})
export type SearchToolsParameters = Static<typeof SearchToolsParameters>

/** Input of the validators' compiler. The tools carry the schemas without `$id`, which a model does not need. */
export const parameterSchemas: Record<string, TSchema> = {
  readParameters: named('readParameters', ReadParameters),
  writeParameters: named('writeParameters', WriteParameters),
  editParameters: named('editParameters', EditParameters),
  hashlineEditParameters: named('hashlineEditParameters', HashlineEditParameters),
  bashParameters: named('bashParameters', BashParameters),
  grepParameters: named('grepParameters', GrepParameters),
  findParameters: named('findParameters', FindParameters),
  lsParameters: named('lsParameters', LsParameters),
  jobOutputParameters: named('jobOutputParameters', JobOutputParameters),
  jobInputParameters: named('jobInputParameters', JobInputParameters),
  jobKillParameters: named('jobKillParameters', JobKillParameters),
  todoParameters: named('todoParameters', TodoParameters),
  askParameters: named('askParameters', AskParameters),
  searchToolsParameters: named('searchToolsParameters', SearchToolsParameters),
  proposePlanParameters: named('proposePlanParameters', ProposePlanParameters),
}

function named(id: string, schema: TObject): TObject {
  return Type.Object(schema.properties, { $id: id })
}

/**
 * Makes a tool's `validate` of the validator that was compiled at build time, so that Ajv is not loaded. It stops at
 * the first problem.
 */
export function argumentsValidator(compiled: CompiledValidator): ArgumentsValidator {
  return (args) => {
    if (compiled(args)) return []
    return (compiled.errors ?? []).map((error) => ({
      path: error.instancePath,
      reason: describeError({ ...error, instancePath: '' }).replace(/^it /, ''),
    }))
  }
}
