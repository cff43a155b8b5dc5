// A tool with progress, a scripted model, one run, and a print of what happens, in AI SDK 7.
import { isStepCount, simulateReadableStream, streamText, tool } from 'ai'
import { MockLanguageModelV4, mockValues } from 'ai/test'
import { z } from 'zod'

// tool
const count = tool({
  description: 'Counts to a number.',
  inputSchema: z.object({ to: z.number() }),
  async *execute({ to }) {
    for (let n = 1; n <= to; n++) yield `${n} of ${to}`
    yield `counted to ${to}`
  },
})
// end

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const answer = (unified, ...parts) => [...parts, { type: 'finish', finishReason: { unified, raw: undefined }, usage }]
const next = mockValues(
  answer('tool-calls', { type: 'tool-call', toolCallId: '1', toolName: 'count', input: '{"to":2}' }),
  answer(
    'stop',
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Done.' },
    { type: 'text-end', id: '1' },
  ),
)
const model = new MockLanguageModelV4({
  doStream: async () => ({ stream: simulateReadableStream({ chunks: next() }) }),
})
const result = streamText({ model, tools: { count }, prompt: 'Count to two.', stopWhen: isStepCount(3) })
for await (const part of result.fullStream) {
  if (part.type === 'tool-result') console.log(part.preliminary ? 'progress:' : 'result:', part.output)
  if (part.type === 'text-delta') console.log('text:', part.text)
}
