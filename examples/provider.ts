// A provider as a function: a model that repeats the prompt in capitals, word by word.
// Run: `node examples/provider.ts`
import { concat, concatMap, delay, from, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { createAgent, messageText, noUsage, registerProvider } from 'rxpi'
import type { AssistantDelta } from 'rxpi'

registerProvider(
  'shout',
  ({ messages }) => {
    const last = messages.at(-1)
    const words =
      last === undefined
        ? []
        : messageText(last)
            .toUpperCase()
            .split(/(?<= )/)
    const begin: AssistantDelta[] = [{ type: 'start' }, { type: 'text_start', contentIndex: 0 }]
    const end: AssistantDelta[] = [
      { type: 'text_end', contentIndex: 0 },
      { type: 'done', stopReason: 'stop', usage: { ...noUsage, cost: 'unknown' } },
    ]
    return concat(begin, from(words).pipe(concatMap((text) => piece(text).pipe(delay(20)))), end)
  },
  { models: ['loud'], defaultModel: 'loud' },
)

function piece(text: string): Observable<AssistantDelta> {
  return of({ type: 'text_delta', contentIndex: 0, text })
}

const agent = createAgent({ model: 'shout', tools: [] })
agent.subscribe((event) => {
  if (event.type === 'message_update' && event.delta.type === 'text_delta') process.stdout.write(event.delta.text)
})
await agent.prompt('is anybody there?')
console.log()
await agent.close()
