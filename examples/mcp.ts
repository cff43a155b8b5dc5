// An agent with the tools of an MCP server. Run: `node examples/mcp.ts npx -y @modelcontextprotocol/server-everything`
import { firstValueFrom, share } from 'rxjs'
import { createAgent, mcpTools } from 'rxpi'
import { scripted, scriptedModel } from 'rxpi/testing'

const [command = 'npx', ...args] = process.argv.slice(2)
const tools$ = mcpTools({ servers: { example: { command, args } }, onNotice: console.error }).pipe(share())
const servers = tools$.subscribe() // they run until this ends
const tools = await firstValueFrom(tools$, { defaultValue: [] })

// a test model that calls one of the tools; for a real one, pass model: 'anthropic/claude-sonnet-5-5'
const call = { name: 'mcp__example__echo', arguments: { message: 'Hello' } }
const model = { model: scriptedModel, provider: scripted([{ toolCalls: [call] }, { text: 'It answered.' }]) }
const agent = createAgent({ model, tools, approve: 'auto' }) // without it, each call of such a tool asks
agent.subscribe((event) => {
  if (event.type === 'tool_execution_end') console.log(JSON.stringify(event))
})
console.log((await agent.prompt('Say hello to the server.')).text)
await agent.close()
servers.unsubscribe()
