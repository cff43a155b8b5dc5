// The layer that gives each tool its schema for a model, and what a request has of the tools.
import type { Model } from '../../streams/models/model.ts'
import type { AnyTool, ToolDefinition } from '../../streams/ports/tool.ts'
import { overrideTool } from '../../streams/tool-definition/override-tool.ts'
import { mapTools } from './tool-draft.ts'
import type { SchemasFor, ToolLayer } from './tool-draft.ts'

/**
 * Layer 6: gives each tool a `parametersFor(model)`, made by `inputs.schemas` once for each model. `parameters` stays:
 * calls are checked against it. Without `inputs.schemas` the tools stay as they are. Ends and fails with its source;
 * holds the last tools and their schemas.
 */
export function normaliseSchemas(): ToolLayer {
  return mapTools(
    (tool, { schemas }) => (schemas === undefined ? tool : withSchemas(tool, schemas)),
    ({ schemas }) => [schemas],
  )
}

/** The tool with its schema for each model. */
export function withSchemas(tool: AnyTool, schemas: SchemasFor): AnyTool {
  const made = new WeakMap<Model, ToolDefinition['parameters']>()
  return overrideTool(tool, {
    parametersFor: (model) => {
      const known = made.get(model)
      if (known !== undefined) return known
      const schema = schemas(model)(tool.parametersFor?.(model) ?? tool.parameters)
      made.set(model, schema)
      return schema
    },
  })
}

const definitions = new WeakMap<readonly AnyTool[], WeakMap<Model, readonly ToolDefinition[]>>()

/** The tools as a request to the model has them; made once for each list of tools and model. */
export function toolDefinitions(tools: readonly AnyTool[], model: Model): readonly ToolDefinition[] {
  const known = definitions.get(tools) ?? new WeakMap<Model, readonly ToolDefinition[]>()
  definitions.set(tools, known)
  const made = known.get(model) ?? (tools.every(isSentAsItIs(model)) ? tools : tools.map(definitionFor(model)))
  known.set(model, made)
  return made
}

function isSentAsItIs(model: Model): (tool: AnyTool) => boolean {
  return ({ parameters, parametersFor }) => parametersFor === undefined || parametersFor(model) === parameters
}

function definitionFor(model: Model): (tool: AnyTool) => ToolDefinition {
  return ({ name, description, parameters, parametersFor }) => ({
    name,
    description,
    parameters: parametersFor?.(model) ?? parameters,
  })
}
