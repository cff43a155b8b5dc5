// Tests the types that users of the library get; `tsc` checks them.
// Running the file proves only that the modules load.
import { Type } from '@sinclair/typebox'
import { forkJoin, from, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Session } from '../../../lib/session/contract/session.ts'
import { commandSchemas } from '../../../lib/streams/commands/command.ts'
import type { Command, CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent, EventNamed, TerminationReason } from '../../../lib/streams/events/event.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type {
  AssistantMessage,
  Message,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../../../lib/streams/messages/message.ts'
import type {
  AnyTool,
  Tool,
  ToolContext,
  ToolOutput,
  ToolProgress,
  ToolResult,
} from '../../../lib/streams/ports/tool.ts'
import { progress, textResult } from '../../../lib/streams/ports/tool.ts'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import { resultOf } from '../../support/result-of.ts'
import { sampleEvents } from '../events/samples.ts'

describe('events', () => {
  it('narrow by type', () => {
    const events: readonly AgentEvent[] = [sampleEvents.message_end]
    for (const event of events) narrowed(event)
    expect(events).toHaveLength(1)
  })

  function narrowed(event: AgentEvent): void {
    if (event.type === 'message_end') {
      expectTypeOf(event.message).toEqualTypeOf<Message>()
      expectTypeOf(event.parentId).toEqualTypeOf<string | null>()
    }
    if (event.type === 'message_update') expectTypeOf(event.delta).toEqualTypeOf<MessageDelta>()
    if (event.type === 'agent_end') {
      expectTypeOf(event.terminationReason).toEqualTypeOf<TerminationReason>()
      expectTypeOf(event.stopRule).toEqualTypeOf<string | undefined>()
    }
  }

  it('have a type of their own each', () => {
    expectTypeOf<EventNamed<'tool_execution_end'>['content']>().toEqualTypeOf<readonly UserContent[]>()
    expectTypeOf<EventNamed<'queue_update'>['queue']>().toEqualTypeOf<'steering' | 'followUp'>()
    expectTypeOf<EventNamed<'turn_end'>>().toExtend<AgentEvent>()
    expectTypeOf<'turn_over'>().not.toExtend<AgentEvent['type']>()
    expect(sampleEvents.turn_end.type).toBe('turn_end')
  })

  it('are read-only', () => {
    const event: EventNamed<'turn_start'> = { ...sampleEvents.turn_start }
    // @ts-expect-error an event is immutable once it was emitted
    event.turnIndex = 7
    expect(event.turnIndex).toBe(7)
  })

  it('have messages that narrow by role [MESSAGE-roles]', () => {
    const { message } = sampleEvents.message_end
    if (message.role === 'assistant') expectTypeOf(message).toEqualTypeOf<AssistantMessage>()
    if (message.role === 'user') expectTypeOf(message).toEqualTypeOf<UserMessage>()
    if (message.role === 'toolResult') expectTypeOf(message).toEqualTypeOf<ToolResultMessage>()
    expect(message.role).toBe('assistant')
  })
})

describe('defineTool', () => {
  const parameters = Type.Object({ path: Type.String(), limit: Type.Optional(Type.Integer()) })

  it('gives execute and locks the types of the schema', () => {
    const tool = defineTool({
      name: 'read',
      description: 'Reads',
      parameters,
      locks: (args, context) => {
        expectTypeOf(args.path).toEqualTypeOf<string>()
        expectTypeOf(context).toEqualTypeOf<Pick<ToolContext, 'cwd'>>()
        return { read: [args.path] }
      },
      execute: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ path: string; limit?: number }>()
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
        // @ts-expect-error the schema has no such property
        expectTypeOf(args.file).toBeAny()
        return of(textResult(args.path))
      },
    })
    expectTypeOf(tool).toExtend<Tool<typeof parameters>>()
    expect(tool.name).toBe('read')
  })

  it('returns from execute what the spec returns, so that from() takes it', async () => {
    const more = { name: 'a', description: 'b', parameters }
    const context = {} as ToolContext
    const promised = defineTool({ ...more, execute: ({ path }) => Promise.resolve(textResult(path)) })
    const streamed = defineTool({ ...more, execute: ({ path }) => of(textResult(path)) })
    const checked = defineTool({
      ...more,
      parameters: z.object({ path: z.string() }),
      execute: ({ path }) => of(textResult(path)),
    })
    const results = [promised, streamed, checked].map((tool) => from(tool.execute({ path: 'x' }, context)))
    expect(await resultOf(forkJoin(results))).toEqual([textResult('x'), textResult('x'), textResult('x')])
    expectTypeOf(createBashTool().execute).returns.toEqualTypeOf<Observable<ToolProgress | ToolResult>>()
    const plain = defineTool({ ...more, execute: ({ path }) => textResult(path) })
    // @ts-expect-error a result alone is no stream: outputOf(result, context)
    expect(() => from(plain.execute({ path: 'x' }, context))).toThrow(TypeError)
  })

  it('accepts an Observable, a promise, a value or an async generator of a result only', () => {
    const more = { name: 'a', description: 'b', parameters }
    const tool = defineTool({ ...more, execute: (args) => Promise.resolve(textResult(args.path)) })
    // @ts-expect-error a bare text is no result
    defineTool({ ...more, execute: () => Promise.resolve('text') })
    defineTool({ ...more, execute: (args) => textResult(args.path) })
    defineTool({
      ...more,
      async *execute({ path }) {
        yield progress(await Promise.resolve(path), { percent: 50 })
        return textResult(path)
      },
    })
    // @ts-expect-error a bare text is no result
    defineTool({ ...more, execute: () => 'text' })
    expectTypeOf<ReturnType<typeof tool.execute>>().toExtend<ToolOutput>()
    expect(tool.parameters).toBe(parameters)
  })

  it('makes tools of any parameters fit one registry', () => {
    const one = defineTool({ name: 'a', description: '', parameters, execute: () => of(textResult('')) })
    const two = defineTool({
      name: 'b',
      description: '',
      parameters: Type.Object({}),
      execute: () => of(textResult('')),
    })
    const registry: AnyTool[] = [one, two]
    expect(registry).toHaveLength(2)
  })
})

describe('commands', () => {
  it('have typed fields and results by name', () => {
    expectTypeOf<CommandNamed<'abort'>>().toEqualTypeOf<{ type: 'abort'; session: string }>()
    expectTypeOf<CommandNamed<'prompt'>['whileRunning']>().toEqualTypeOf<'steer' | 'follow_up' | undefined>()
    expectTypeOf<ResultOf<'steer'>>().toEqualTypeOf<{ queueId: string }>()
    expectTypeOf<ResultOf<'prompt'>>().toEqualTypeOf<{
      status: 'started' | 'queued' | 'handled'
      text?: string
      runId?: string
      queueId?: string
    }>()
    expectTypeOf<Extract<Command, { type: 'cancel' }>['target']>().toEqualTypeOf<string>()
    expect(Object.keys(commandSchemas)).toContain('cancel')
  })

  it('resolve to the result of their name', () => {
    const ask = (session: Session) => {
      expectTypeOf(session.send({ type: 'prompt', text: 'hi' })).toEqualTypeOf<Observable<ResultOf<'prompt'>>>()
      expectTypeOf(session.send({ type: 'steer', text: 'hi' })).toEqualTypeOf<Observable<ResultOf<'steer'>>>()
      // @ts-expect-error a prompt has a text
      void session.send({ type: 'prompt' })
      // @ts-expect-error an abort has none
      void session.send({ type: 'abort', text: 'hi' })
      // @ts-expect-error a session does not answer it
      void session.send({ type: 'shutdown' })
    }
    expect(ask).toBeTypeOf('function')
  })
})

describe('failures', () => {
  it('have only codes of the table', () => {
    expectTypeOf<FailureCode>().toExtend<string>()
    // @ts-expect-error not in the table
    expect(() => new Failure('oops', 'x').recoverable).toThrow(TypeError)
  })
})
