// A custom tool, and an agent with this tool only. Run: `node examples/tool.ts`
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Type } from '@sinclair/typebox'
import { createAgent, defineTool, textResult } from 'rxpi'
import { scripted, scriptedModel } from 'rxpi/testing'

const countLines = defineTool({
  name: 'count_lines',
  description: 'Counts the lines of a text file.',
  parameters: Type.Object({ path: Type.String({ description: 'relative to the working folder' }) }),
  sideEffectFree: true, // runs in parallel with other calls
  capability: 'read', // a tool that reads needs no `approve`
  execute: async ({ path }, { cwd, signal }) => {
    const text = await readFile(resolve(cwd, path), { encoding: 'utf8', signal })
    return textResult(`${path} has ${text.split('\n').length - 1} lines.`)
  },
})

// a test model that calls the tool; for a real one, pass model: 'anthropic/claude-sonnet-5-5'
const provider = scripted(({ messages }) => {
  const last = messages.at(-1)
  return last?.role === 'toolResult'
    ? { text: `I counted: ${last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')}` }
    : { toolCalls: [{ name: 'count_lines', arguments: { path: 'package.json' } }] }
})
const agent = createAgent({ model: { model: scriptedModel, provider }, tools: [countLines] })
agent.subscribe((event) => {
  if (event.type === 'tool_execution_start') console.log(`calls ${event.toolName}`)
})
console.log((await agent.prompt('How many lines has package.json?')).text)
await agent.close()
