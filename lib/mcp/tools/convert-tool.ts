// Converts a tool as a server lists it to a tool of a session.
import { hash } from 'node:crypto'
import type { McpHints, McpTool } from '../contract/mcp-offer.ts'
import type { ListedTool } from '../contract/mcp-peer.ts'
import { canonicalJson, isDeeperThan, isRecord } from '../../streams/values/json.ts'
import { Failure } from '../../streams/values/failure.ts'
import { textField } from '../content/foreign-text.ts'
import { callTool } from './call-tool.ts'
import type { ToolSource } from './call-tool.ts'
import { readInputSchema } from './input-schema.ts'
import { outputCheck } from './output-check.ts'
import { mcpToolName } from './tool-names.ts'

const maxDescriptionBytes = 4_096
const maxLabelBytes = 256
const maxNameLength = 1_024
const maxAnnotationsDepth = 32

export interface ConvertedTool {
  readonly tool: McpTool
  /** Why its schema does not compile; undefined if it does. Takes about a millisecond. */
  compileProblem(): string | undefined
}

/** @throws Failure `mcp_error` if the tool cannot be used; its message follows the tool's name */
export function convertTool(listed: ListedTool, source: ToolSource): ConvertedTool {
  const { name, inputSchema, annotations = {} } = listed
  if (name === '' || name.length > maxNameLength) throw new Failure('mcp_error', 'its name is empty or too long')
  if (isDeeperThan(annotations, maxAnnotationsDepth))
    throw new Failure('mcp_error', 'its annotations are nested too deep')
  const { parameters, validate, compileProblem } = readInputSchema(inputSchema)
  const { server } = source
  const checkOutput = outputCheck(listed.outputSchema)
  const label = textField(listed.title ?? annotations['title'], maxLabelBytes)
  const tool: McpTool = {
    name: mcpToolName(server, name),
    description:
      textField(listed.description, maxDescriptionBytes) ?? `The tool ${label ?? name} of the MCP server ${server}.`,
    parameters,
    validate,
    capability: 'exec', // hints never loosen it
    timeoutMs: 0, // the peer ends a silent call
    maxResultBytes: 0, // it limits its output itself
    execute: (args: Readonly<Record<string, unknown>>, context) =>
      callTool({ ...source, tool: name, checkOutput }, args, context),
    mcp: {
      server,
      tool: name,
      digest: toolDigest(listed),
      ...(label !== undefined && { label }),
      hints: hintsOf(annotations),
    },
  }
  return { tool, compileProblem }
}

/** SHA-256 of what the tool promises. @param listed its schema and annotations are not deeper than the stack */
function toolDigest({ description, inputSchema, annotations }: ListedTool): string {
  return hash('sha256', canonicalJson({ description, inputSchema, annotations }), 'hex')
}

function hintsOf(annotations: unknown): McpHints {
  if (!isRecord(annotations)) return {}
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const title = textField(annotations['title'], maxLabelBytes)
  return {
    ...(title !== undefined && { title }),
    ...(typeof readOnlyHint === 'boolean' && { readOnly: readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructive: destructiveHint }),
    ...(typeof idempotentHint === 'boolean' && { idempotent: idempotentHint }),
    ...(typeof openWorldHint === 'boolean' && { openWorld: openWorldHint }),
  }
}
