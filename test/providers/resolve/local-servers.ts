// Provides fake model servers of this machine, as their vendors document them, on free ports.
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawRequest, RawSseServer } from '../../support/raw-sse-server.ts'

type Page = Readonly<Record<string, unknown>> | ((request: RawRequest) => Readonly<Record<string, unknown>>)
type Pages = Readonly<Record<string, Page>>

/** Answers with JSON at these paths, with 404 elsewhere. */
export function jsonServer(pages: Pages): Promise<RawSseServer> {
  return rawSseServer((request): RawAnswer => {
    const headers = { 'content-type': 'application/json' }
    const page = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined
    if (page === undefined) return { status: 404, headers, body: ['{"error":"not found"}'] }
    return { headers, body: [JSON.stringify(typeof page === 'function' ? page(request) : page)] }
  })
}

interface OllamaModel {
  readonly capabilities?: readonly string[]
  readonly parameters?: string
  readonly length?: number
  /** The context window of the loaded model; undefined: the model is not loaded. */
  readonly loaded?: number
}

/** `/api/tags`, `/api/show` and `/api/ps`. */
export function ollamaServer(models: Readonly<Record<string, OllamaModel>>): Promise<RawSseServer> {
  const loaded = Object.entries(models).filter(([, model]) => model.loaded !== undefined)
  return jsonServer({
    '/api/tags': { models: Object.keys(models).map((name) => ({ name, model: name, details: { family: 'any' } })) },
    '/api/ps': { models: loaded.map(([name, model]) => ({ name, model: name, context_length: model.loaded })) },
    '/api/show': (request) => {
      const { capabilities = ['completion', 'tools'], parameters, length } = models[nameIn(request)] ?? {}
      return {
        capabilities,
        ...(parameters === undefined ? {} : { parameters }),
        model_info: {
          'general.architecture': 'any',
          ...(length === undefined ? {} : { 'any.context_length': length }),
        },
      }
    },
  })
}

function nameIn(request: RawRequest): string {
  const body = request.json()
  return typeof body === 'object' && body !== null && 'model' in body ? String(body.model) : ''
}

export function lmStudioServer(data: readonly object[]): Promise<RawSseServer> {
  return jsonServer({ '/api/v0/models': { object: 'list', data } })
}

export function vllmServer(data: readonly object[]): Promise<RawSseServer> {
  return jsonServer({ '/v1/models': { object: 'list', data } })
}

/** `/v1/models` and `/props`. */
export function llamaServer(id: string, props: Readonly<Record<string, unknown>>): Promise<RawSseServer> {
  const data = [{ id, object: 'model', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }]
  return jsonServer({ '/v1/models': { object: 'list', data }, '/props': props })
}
