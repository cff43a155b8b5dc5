// rxpi/operators: stop rules, the parts of the loop and general operators.
export { accumulateMessage } from './events/message-progress.ts'
export { assembleMessage } from './request/assemble-message.ts'
export type { Answer, AssembleOptions } from './request/assemble-message.ts'
export { callTools } from './tool-calls/call-tools.ts'
export type { CalledTool, CallToolsOptions } from './tool-calls/call-tools.ts'
export { compact } from './compaction/compact.ts'
export type {
  CompactOptions,
  CompactionDraft,
  CompactionOutcome,
  CompactionRequest,
  CompactionStep,
} from './compaction/compact.ts'
export { contextTokens } from './compaction/context-tokens.ts'
export type { ContextTokens, EntryContext } from './compaction/context-tokens.ts'
export type { PlannedEntry } from './compaction/find-cut.ts'
export { modelSummariser } from './compaction/model-summariser.ts'
export type { ModelSummariserOptions } from './compaction/model-summariser.ts'
export { compactionLimits, planCompaction } from './compaction/plan-compaction.ts'
export type {
  CompactionInput,
  CompactionPlan,
  CompactionReason,
  CompactionSettings,
  SummaryPlan,
} from './compaction/plan-compaction.ts'
export { concatDrain } from './core/concat-drain.ts'
export { conflate } from './events/conflate.ts'
export type { ConflateOptions } from './events/conflate.ts'
export { dedupeReads } from './context/dedupe-reads.ts'
export { dropThinking } from './context/trim-messages.ts'
export type { DropThinkingOptions } from './context/trim-messages.ts'
export { idleLimit } from './core/time-limits.ts'
export type { IdleLimitOptions } from './core/time-limits.ts'
export { injectContext } from './context/inject-context.ts'
export type { InjectContextOptions } from './context/inject-context.ts'
export { keepRecent } from './context/keep-recent.ts'
export type { KeepRecentOptions } from './context/keep-recent.ts'
export { limitImages } from './context/trim-messages.ts'
export type { LimitImagesOptions } from './context/trim-messages.ts'
export { loopWhile } from './core/loop-while.ts'
export { ofType } from './events/select-events.ts'
export { promptSection } from './context/prompt-section.ts'
export type { PromptPosition } from './context/prompt-section.ts'
export { pruneToolResults } from './context/trim-messages.ts'
export type { PruneToolResultsOptions } from './context/trim-messages.ts'
export { queues } from './run/queues.ts'
export type { QueueMode, QueueName, Queues } from './ports/run-ports.ts'
export { redactSecrets } from './context/redact-secrets.ts'
export type { RedactSecretsOptions } from './context/redact-secrets.ts'
export { retryRequest } from './request/retry-request.ts'
export type { RetryOptions } from './ports/run-ports.ts'
export { run } from './run/run.ts'
export type { RunOptions } from './run/run.ts'
export type {
  CallPorts,
  Conversation,
  RequestSettings,
  RunIdle,
  RunInput,
  RunPorts,
  ToolSurroundings,
} from './ports/run-ports.ts'
export { runs } from './run/runs.ts'
export type { RunRequest } from './run/runs.ts'
export type { SecretPattern } from './context/redact-secrets.ts'
export { serialise } from './core/serialise.ts'
export { calledTool, maxTurns, sameCallRepeated, spent } from './run/stop-when.ts'
export type { FinishedTurn, StopRule } from './ports/run-ports.ts'
export { tapContext } from './context/change-messages.ts'
export { textDeltas } from './events/message-progress.ts'
export { toolProgress } from './events/select-events.ts'
export { turn } from './run/turn.ts'
export type { TurnOptions } from './run/turn.ts'
export type { TurnOutcome } from './run/run-state.ts'
export type { MakeRoom, Overflow, RoomEvent } from './ports/run-ports.ts'
export { turns } from './events/turns.ts'
export { untilDone } from './request/until-done.ts'
export { untilSettled } from './events/select-events.ts'
export { baseTools, channelTools, runtimeTools } from './tool-pipeline/add-tools.ts'
export { cancellable, wrapCancellation } from './tool-pipeline/wrap-cancellation.ts'
export { filterTools } from './tool-pipeline/filter-tools.ts'
export { mapTools, overrideTool } from './tool-pipeline/tool-draft.ts'
export type { SchemasFor, ToolDraft, ToolInputs, ToolLayer, ToolPolicy } from './tool-pipeline/tool-draft.ts'
export { normaliseSchemas } from './tool-pipeline/normalise-schemas.ts'
export { substituteSandbox } from './tool-pipeline/substitute-sandbox.ts'
export { toolPipeline } from './tool-pipeline/tool-pipeline.ts'
export type { BuiltTools, ToolLayers } from './tool-pipeline/tool-pipeline.ts'
export { toAsyncIterable } from '../streams/rx/to-async-iterable.ts'
export type { ToAsyncIterableOptions } from '../streams/rx/to-async-iterable.ts'
