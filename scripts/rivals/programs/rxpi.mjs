// A tool with progress, a scripted model, one run, and a print of what happens, in rxpi.
import { createSession, defineTool, progress, textResult } from 'rxpi'
import { scripted, scriptedModel } from 'rxpi/testing'
import { z } from 'zod'

// tool
const count = defineTool({
  name: 'count',
  description: 'Counts to a number.',
  parameters: z.object({ to: z.number() }),
  async *execute({ to }) {
    for (let n = 1; n <= to; n++) yield progress(`${n} of ${to}`)
    yield textResult(`counted to ${to}`)
  },
})
// end

const provider = scripted([{ toolCalls: [{ name: 'count', arguments: { to: 2 } }] }, 'Done.'])
const session = createSession({ model: { model: scriptedModel, provider }, tools: [count], approve: 'auto' })
session.events$.subscribe((event) => {
  if (event.type === 'tool_execution_update') console.log('progress:', event.content)
  if (event.type === 'tool_execution_end') console.log('result:', event.content[0].text)
  if (event.type === 'message_update' && event.delta.type === 'text_delta') console.log('text:', event.delta.text)
  if (event.type === 'agent_settled') session.close().subscribe()
})
session.send({ type: 'prompt', text: 'Count to two.' })
