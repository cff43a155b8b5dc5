// Copies a tool with other properties.
import type { AnyTool } from '../ports/tool.ts'

/**
 * A copy of the tool with other properties. Its methods keep the original as `this`, so a tool may be an instance of a
 * class.
 */
export function overrideTool(tool: AnyTool, properties: Partial<AnyTool>): AnyTool {
  const { name, description, parameters } = tool
  return { ...tool, name, description, parameters, ...inherited(tool), ...boundMethods(tool), ...properties }
}

const optionalProperties = [
  'sideEffectFree',
  'mustSerial',
  'sandboxed',
  'capability',
  'mcp',
  'requiredScope',
  'alwaysAsk',
  'timeoutMs',
  'maxResultBytes',
  'origin',
  'validate',
] as const satisfies readonly (keyof AnyTool)[]

/** The properties that a class gives its instances, such as getters. */
function inherited(tool: AnyTool): Partial<AnyTool> {
  const names = optionalProperties.filter((name) => tool[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, tool[name]]))
}

function boundMethods(tool: AnyTool): Pick<AnyTool, 'execute'> & Partial<AnyTool> {
  return {
    execute: (args, context) => tool.execute(args, context),
    ...(tool.locks && { locks: (args, context) => tool.locks?.(args, context) ?? {} }),
    ...(tool.prepareArguments && { prepareArguments: (args) => tool.prepareArguments?.(args) ?? args }),
    ...(tool.workingContext && { workingContext: tool.workingContext.bind(tool) }),
    ...(tool.previewDiff && { previewDiff: tool.previewDiff.bind(tool) }),
    ...(tool.parametersFor && { parametersFor: (model) => tool.parametersFor?.(model) ?? tool.parameters }),
  }
}
