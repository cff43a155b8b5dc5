// The search_tools tool: finds tools that requests do not list.
import { searchToolsName } from '../../streams/messages/inner-call.ts'
import { defer, map } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { StreamTool } from '../../streams/ports/tool.ts'
import type { SearchableTools } from '../../streams/tool-definition/tool-search.ts'
import { searchToolsParameters } from '../generated/parameter-validators.js'
import { argumentsValidator, SearchToolsParameters } from '../shared/parameters.ts'
import { createToolIndex } from './tool-index.ts'

/** UTF-16 units of a query that are searched for; the schema has no limit of its own, which would load a part of Ajv. */
const longestQuery = 500

/** The result only names what it found. */
export function createToolSearch({
  tools,
  starting,
  onFound,
}: SearchableTools): StreamTool<typeof SearchToolsParameters> {
  const index = createToolIndex()
  return defineTool({
    name: searchToolsName,
    description:
      'Find tools that are not listed here: of extensions, clients and MCP servers. Search before you say that no tool can do something. A message then describes what was found, and use_tool calls it.',
    parameters: SearchToolsParameters,
    validate: argumentsValidator(searchToolsParameters),
    sideEffectFree: true,
    capability: 'read', // it changes nothing but which tools the next message describes
    execute: ({ query, limit = 5 }) =>
      defer(() => index.search(tools(), query.slice(0, longestQuery))).pipe(
        map((ranked) => {
          const found = ranked.slice(0, limit)
          const missing = notSearched(starting?.() ?? [])
          if (found.length === 0)
            return textResult(`No tool fits. Try other words: what it does, or its service.${missing}`)
          onFound(found)
          return textResult(`Found: ${found.map(({ name }) => name).join(', ')}${missing}`, {
            details: { tools: found.map(({ name }) => name), fit: ranked.length },
          })
        }),
      ),
  })
}

function notSearched(servers: readonly string[]): string {
  if (servers.length === 0) return ''
  return `\nNot searched: tools of MCP servers that are still starting (${servers.join(', ')}). Search again for these.`
}
