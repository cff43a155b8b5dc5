// A tool with progress, a scripted model, one run, and a print of what happens, in pi-agent-core.
import { Agent } from '@earendil-works/pi-agent-core'
import { createModels, fauxAssistantMessage, fauxProvider, fauxToolCall, Type } from '@earendil-works/pi-ai'

// tool
const count = {
  name: 'count',
  label: 'Count',
  description: 'Counts to a number.',
  parameters: Type.Object({ to: Type.Number() }),
  execute: async (_id, { to }, _signal, onUpdate) => {
    const text = (text) => ({ content: [{ type: 'text', text }], details: {} })
    for (let n = 1; n <= to; n++) onUpdate?.(text(`${n} of ${to}`))
    return text(`counted to ${to}`)
  },
}
// end

const faux = fauxProvider({ tokensPerSecond: 0 })
faux.setResponses([
  fauxAssistantMessage(fauxToolCall('count', { to: 2 }), { stopReason: 'toolUse' }),
  fauxAssistantMessage('Done.'),
])
const models = createModels()
models.setProvider(faux.provider)
const agent = new Agent({
  initialState: { systemPrompt: '', model: faux.getModel(), tools: [count] },
  streamFn: models.streamSimple.bind(models),
})
agent.subscribe((event) => {
  if (event.type === 'tool_execution_update') console.log('progress:', event.partialResult.content[0].text)
  if (event.type === 'tool_execution_end') console.log('result:', event.result.content[0].text)
  if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta')
    console.log('text:', event.assistantMessageEvent.delta)
})
await agent.prompt('Count to two.')
