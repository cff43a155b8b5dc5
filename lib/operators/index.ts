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
export type { ModelSummariserOptions, SummariserModel } from './compaction/model-summariser.ts'
export { compactionLimits, planCompaction } from './compaction/plan-compaction.ts'
export type {
  CompactionInput,
  CompactionPlan,
  CompactionReason,
  CompactionSettings,
  SummaryPlan,
} from './compaction/plan-compaction.ts'
export { cacheAnswers } from './providers/cache-answers.ts'
export type { CacheAnswersOptions } from './providers/cache-answers.ts'
export { concatDrain } from './core/concat-drain.ts'
export { conflate } from './events/conflate.ts'
export type { ConflateOptions } from './events/conflate.ts'
export { costMeter, foldEvents, perSecond } from './events/measure-events.ts'
export type { CostReading, PerSecondOptions, RecordedEvent } from './events/measure-events.ts'
export { createStopSwitch } from '../streams/rx/stop-switch.ts'
export type { StopSwitch } from '../streams/rx/stop-switch.ts'
export { dedupeReads } from './context/dedupe-reads.ts'
export { dropThinking } from './context/trim-messages.ts'
export type { DropThinkingOptions } from './context/trim-messages.ts'
export { fallbackTo } from './providers/fallback-to.ts'
export { fromText } from './providers/from-text.ts'
export type { FromTextOptions } from './providers/from-text.ts'
export { idleLimit } from './core/time-limits.ts'
export type { IdleLimitOptions } from './core/time-limits.ts'
export { injectContext } from './context/inject-context.ts'
export type { InjectContextOptions } from './context/inject-context.ts'
export { isRunning } from './events/select-events.ts'
export { keepRecent } from './context/keep-recent.ts'
export type { KeepRecentOptions } from './context/keep-recent.ts'
export { limitImages } from './context/trim-messages.ts'
export type { LimitImagesOptions } from './context/trim-messages.ts'
export { logRequests } from './providers/log-requests.ts'
export type { RequestLog } from './providers/log-requests.ts'
export { joinHooks } from './hooks/join-hooks.ts'
export { loopWhile } from './core/loop-while.ts'
export { ofType } from './events/select-events.ts'
export { promptSection } from './context/prompt-section.ts'
export type { PromptPosition } from './context/prompt-section.ts'
export { pruneToolResults } from './context/trim-messages.ts'
export type { PruneToolResultsOptions } from './context/trim-messages.ts'
export type { ProviderOperator } from '../streams/ports/provider.ts'
export { queues } from './run/queues.ts'
export type { QueueMode, QueueName, Queues } from './ports/run-ports.ts'
export { rateLimit } from './providers/rate-limit.ts'
export type { RateLimitOptions } from './providers/rate-limit.ts'
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
export { runResults } from './events/run-results.ts'
export type { RunResult } from './events/run-results.ts'
export { runs } from './run/runs.ts'
export type { RunRequest } from './run/runs.ts'
export type { SecretPattern } from './context/redact-secrets.ts'
export { serialise } from './core/serialise.ts'
export { allOf, anyOf, stopRule, toolFailed } from './run/own-stop-rules.ts'
export { calledTool, maxTurns, sameCallRepeated, spent } from './run/stop-when.ts'
export type { Budget } from './run/stop-when.ts'
export { scheduleCalls } from './tool-calls/schedule-calls.ts'
export type { CallDecision, CallScheduler, ReadyCall, ScheduleOptions } from './ports/call-scheduler.ts'
export type { FinishedTurn, StopRule } from '../streams/ports/hooks.ts'
export { summariseOlder } from './context/summarise-older.ts'
export type { SummariseOlderOptions } from './context/summarise-older.ts'
export { tapContext } from './context/change-messages.ts'
export { textDeltas, thinkingDeltas } from './events/message-progress.ts'
export { toolCalls, toolProgress } from './events/tool-call-events.ts'
export type { ToolCallEvent, ToolCallEvents } from './events/tool-call-events.ts'
export { turn } from './run/turn.ts'
export type { TurnOptions } from './run/turn.ts'
export type { TurnOutcome } from './run/run-state.ts'
export type { MakeRoom, Overflow, RoomEvent } from './ports/run-ports.ts'
export { turns } from './events/turns.ts'
export { untilDone } from './request/until-done.ts'
export { untilSettled } from './events/select-events.ts'
export { toAgUi } from './bridges/to-ag-ui.ts'
export type { AgUiOptions } from './bridges/to-ag-ui.ts'
export type {
  AgUiEvent,
  AgUiInterrupt,
  AgUiOutcome,
  AgUiPart,
  AgUiState,
  AgUiUsage,
  JsonPatchOperation,
} from './bridges/ag-ui-events.ts'
export { toGatewayEvents } from './bridges/to-gateway-events.ts'
export type { GatewayEvent, GatewayEventsOptions } from './bridges/to-gateway-events.ts'
export { toSpans } from './bridges/to-spans.ts'
export type { SpansOptions } from './bridges/to-spans.ts'
export type { SpanAttributes, SpanContextPort, SpanPort, SpanValue, TracerPort } from './bridges/span-port.ts'
export { gatewayNames } from './bridges/gateway-names.ts'
export type { GatewayName } from './bridges/gateway-names.ts'
export { when } from './context/when.ts'
export { baseTools, channelTools, runtimeTools } from './tool-pipeline/add-tools.ts'
export { cancellable, wrapCancellation } from './tool-pipeline/wrap-cancellation.ts'
export { filterTools } from './tool-pipeline/filter-tools.ts'
export { mapTools } from './tool-pipeline/tool-draft.ts'
export { overrideTool } from '../streams/tool-definition/override-tool.ts'
export type { SchemasFor, ToolDraft, ToolInputs, ToolLayer, ToolPolicy } from './tool-pipeline/tool-draft.ts'
export { normaliseSchemas } from './tool-pipeline/normalise-schemas.ts'
export { substituteSandbox } from './tool-pipeline/substitute-sandbox.ts'
export { toolPipeline } from './tool-pipeline/tool-pipeline.ts'
export type { BuiltTools, ToolLayers } from './tool-pipeline/tool-pipeline.ts'
export { toAsyncIterable } from '../streams/rx/to-async-iterable.ts'
export type { ToAsyncIterableOptions } from '../streams/rx/to-async-iterable.ts'
export type { IdleTimes } from './core/time-limits.ts'
export type { FinalCall, LoadBlobs } from './ports/run-ports.ts'
export type { ModelChoice } from './request/model-choice.ts'
export type { RetryRequestOptions } from './request/retry-request.ts'
export type { RunStart, TurnPlan } from './run/run-state.ts'
export type { CancellableTool } from './tool-pipeline/wrap-cancellation.ts'
