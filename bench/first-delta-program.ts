// The lower bound from a prompt to its first delta: one request on an open connection.
//
// Argument: the model's base URL. Reads lines `{"text"}` with the prompt; writes `{"type":"delta","text"}` for each
// piece and `{"type":"end"}`.
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'

const [baseUrl = ''] = process.argv.slice(2)
const url = new URL(`${baseUrl}/chat/completions`)
const agent = new Agent({ keepAlive: true })

createInterface({ input: process.stdin }).on('line', (line) => {
  const { text } = JSON.parse(line) as { readonly text: string }
  const body = JSON.stringify({ model: 'mock', stream: true, messages: [{ role: 'user', content: text }] })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' }
  request(url, { agent, method: 'POST', headers }, answered).end(body)
})

function answered(response: IncomingMessage): void {
  let rest = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) writeFrame(event.slice('data: '.length))
  })
  response.on('end', () => process.stdout.write('{"type":"end"}\n'))
}

function writeFrame(data: string): void {
  if (data === '[DONE]') return
  const { choices } = JSON.parse(data) as {
    readonly choices: readonly { readonly delta: { readonly content?: string } }[]
  }
  const text = choices[0]?.delta.content
  if (text !== undefined) process.stdout.write(`${JSON.stringify({ type: 'delta', text })}\n`)
}
