// Lists the schemas that the build compiles to validators.
// A schema outside this list is never checked.
import type { TSchema } from '@sinclair/typebox'
import { RequestEnvelope, commandSchemas } from '../commands/command.ts'
import { AssistantDelta, MessageDelta, deltaSchemas } from '../messages/delta.ts'
import { FailureShape, eventSchemas } from '../events/event.ts'
import { PlanItem, QuestionOutcome } from '../events/feature-event-fields.ts'
import { CheckpointLine, LogLine, SessionHeader } from '../log/log-line.ts'
import {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from '../messages/message.ts'
import { Model } from '../models/model.ts'
import { RunLimits, Settings } from '../config/settings.ts'
import { SessionFacts, SessionsIndex } from '../state/session-summary.ts'

const shapes = {
  PlanItem,
  QuestionOutcome,
  TextContent,
  ThinkingContent,
  ImageContent,
  ToolCall,
  Usage,
  UserMessage,
  AssistantMessage,
  ToolResultMessage,
  Message,
  AssistantDelta,
  MessageDelta,
  FailureShape,
  SessionHeader,
  LogLine,
  CheckpointLine,
  Model,
  RunLimits,
  Settings,
  RequestEnvelope,
  SessionFacts,
  SessionsIndex,
}

const byId = (schemas: readonly TSchema[]): Record<string, TSchema> =>
  Object.fromEntries(schemas.map((schema) => [String(schema.$id), schema]))

/** Every schema by its `$id`; references between them are by `$id`. */
export const schemas: Record<string, TSchema> = {
  ...shapes,
  ...byId(deltaSchemas),
  ...byId(Object.values(eventSchemas)),
  ...byId(Object.values(commandSchemas)),
}
