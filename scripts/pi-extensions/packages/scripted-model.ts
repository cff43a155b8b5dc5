// Serves a scripted model on loopback and remembers the tools of the last request.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelTurn } from '../contract/situation.ts'
import { answerTurn, readBody } from '../play/mock-endpoint.ts'

interface OfferedTool {
  readonly name: string
  readonly parameters: object
}

export interface ScriptedModel {
  readonly baseUrl: string
  requests(): number
  tools(): readonly OfferedTool[]
  /** Answers of the next requests; when none is left, the model says `Done.` */
  script(turns: readonly ModelTurn[]): void
  close(): void
}

export async function scriptedModel(): Promise<ScriptedModel> {
  let turns: ModelTurn[] = []
  let tools: readonly OfferedTool[] = []
  let requests = 0
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const body = JSON.parse(text) as { readonly tools?: readonly { readonly function: OfferedTool }[] } // of rxpi
      if (body.tools !== undefined) tools = body.tools.map((tool) => tool.function)
      answerTurn(response, turns.shift() ?? 'Done.', `call_${++requests}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: () => requests,
    tools: () => tools,
    script: (next) => {
      turns = [...next]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
