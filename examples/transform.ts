// A context transform: requests contain no e-mail address, the session does.
// Run: `node examples/transform.ts`
import { map, pipe } from 'rxjs'
import { createAgent, messageText } from 'rxpi'
import type { ContextTransform } from 'rxpi'
import { keepRecent } from 'rxpi/operators'
import { scripted, scriptedModel } from 'rxpi/testing'

function withoutAddresses(): ContextTransform {
  const hidden = (text: string) => text.replaceAll(/[\w.+-]+@[\w.-]+\w/g, '[address]')
  return map((context) => ({
    ...context,
    messages: context.messages.map((message) =>
      message.role === 'user' && typeof message.content === 'string'
        ? { ...message, content: hidden(message.content) }
        : message,
    ),
  }))
}

// a test model that records its requests; for a real one, pass model: 'ollama/qwen3'
const provider = scripted(['Noted.'])
const agent = createAgent({
  model: { model: scriptedModel, provider },
  transformContext: pipe(withoutAddresses(), keepRecent({ tokens: 20_000 })),
})
await agent.prompt('Write to jane@example.org')
const [request] = provider.requests
console.log('the request has:', request?.messages.map(messageText).join())
console.log('the session has:', agent.state.messages.map(messageText).join(' … '))
await agent.close()
