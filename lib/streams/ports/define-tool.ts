// Gives a tool literal the types of its schema; it changes nothing.
import type { TObject } from '@sinclair/typebox'
import type { Tool } from './tool.ts'

/**
 * `defineTool({ name, description, parameters: Type.Object({…}), execute: (args, context) => … })`: `args` has the static
 * type of `parameters`. Without `validate`, `createSession` compiles the schema on first
 * use; `openSession` of `rxpi/core` is given a `validatorOf`.
 */
export function defineTool<Parameters extends TObject>(tool: Tool<Parameters>): Tool<Parameters> {
  return tool
}
