// Declares a custom API: the frames of its stream and its smallest possible answer.
import type { AnyDeclaration, ProviderDeclaration } from '../../../lib/providers/custom/provider-declaration.ts'
import { customResponse } from '../../../lib/providers/custom/custom-response.ts'
import { frame } from '../openai/openai-chunks.ts'
import type { TestedApi } from '../adapter/tested-apis.ts'

export interface OwnChunk {
  readonly response?: string
  readonly thought?: string
  readonly call?: { readonly slot: number; readonly id?: string; readonly name?: string; readonly piece: string }
  readonly end?: boolean
  readonly usage?: { readonly in: number; readonly out: number }
}

/** The declaration of the provider `own`. */
export function ownDeclaration(more: Partial<AnyDeclaration> = {}): AnyDeclaration {
  const declaration: ProviderDeclaration<OwnChunk, { readonly result: OwnChunk }> = {
    name: 'own',
    baseUrl: 'http://own.invalid/v1',
    buildRequest: ({ model, system, messages }) => ({
      path: `run/${model.id}`,
      body: { system, turns: messages.map(({ role }) => role) },
    }),
    parseStreamChunk: partsOf,
    parseResponse: ({ result }) => partsOf(result),
  }
  return { ...declaration, ...more }
}

function partsOf({ response, thought, call, end, usage }: OwnChunk) {
  return {
    text: response,
    thinking: thought,
    toolCalls: call && [{ index: call.slot, id: call.id, name: call.name, arguments: call.piece }],
    usage: usage && { input: usage.in, output: usage.out },
    done: end,
  }
}

export const declaredWire: TestedApi = {
  api: 'declared',
  provider: (options) => customResponse({ declaration: ownDeclaration({ auth: { variable: 'OWN_KEY' } }), ...options }),
  begun: [frame({ response: 'a' })],
  end: [frame({ end: true })],
  error: frame({ error: { code: 'server_error', message: 'It broke' } }),
}
