// Tests `toSpans` with the OTLP exporter of OpenTelemetry: a receiver on HTTP gets the spans of a run.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { from } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { toSpans } from '../../../lib/operators/bridges/to-spans.ts'
import { scriptedRun } from '../../support/scripted-run.ts'

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** Takes what an exporter posts to `/v1/traces`, as a collector does. */
async function receiver() {
  const exports: Export[] = []
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      expect([incoming.method, incoming.url]).toEqual(['POST', '/v1/traces'])
      expect(incoming.headers['content-type']).toBe('application/json')
      exports.push(JSON.parse(body) as Export)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1/traces`, exports }
}

it('the spans of a run reach a receiver of OTLP, with parents, times and attributes, and without content', async () => {
  const { url, exports } = await receiver()
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))] })
  const events = scriptedRun(['a secret ', 'answer'])
  from(events)
    .pipe(toSpans({ tracer: provider.getTracer('rxpi'), session: 'abcdefghij23', agentName: 'helper' }))
    .subscribe()
  await provider.shutdown()
  const scopes = exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
  expect(scopes.map(({ scope }) => scope.name)).toEqual(['rxpi'])
  const spans = scopes.flatMap((scope) => scope.spans)
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  expect(spans.map(({ name, parentSpanId = '' }) => `${name} < ${nameOf.get(parentSpanId) ?? '-'}`)).toEqual([
    'chat model < turn 1',
    'execute_tool bash < turn 1',
    'turn 1 < invoke_agent helper',
    'invoke_agent helper < -',
  ])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  for (const span of spans) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
  }
  const attributes = Object.fromEntries(spans.at(-1)?.attributes.map(({ key, value }) => [key, value]) ?? [])
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': { stringValue: 'invoke_agent' },
    'gen_ai.conversation.id': { stringValue: 'abcdefghij23' },
    'gen_ai.usage.output_tokens': { intValue: expect.any(Number) as number },
  })
  expect(JSON.stringify(exports)).not.toContain('secret')
})
