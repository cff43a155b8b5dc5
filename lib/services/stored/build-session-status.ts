// Builds the result of `get_state` from a folded state, without the conversation.
import type { SessionState } from '../../streams/state/fold-session.ts'
import { createdChoices } from '../../streams/state/fold-settings.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'

export interface StatusParts extends Pick<SessionStatus, 'open' | 'verified' | 'readOnly'> {
  readonly header: SessionHeader
  readonly state: SessionState
  /** Values that the log lacks, or has in an older version. Default: those of the state. */
  readonly chosen?: Pick<SessionStatus, 'model' | 'thinkingLevel' | 'activeTools' | 'approvalMode' | 'scenario'>
}

/** The result describes the state at `state.seq`. */
export function buildSessionStatus({ header, state, chosen = {}, ...known }: StatusParts): SessionStatus {
  const {
    seq,
    headEntryId,
    queue,
    requests,
    questions,
    plan,
    jobs,
    usage,
    lastEnd,
    running,
    open,
    queueModes = {},
  } = state
  const title = state.title ?? header.title ?? ''
  const tools = [...state.tools.values()].filter(({ end }) => end === undefined)
  return {
    seq,
    header,
    headEntryId,
    ...(title === '' ? {} : { title }),
    ...loggedChoices({ ...createdChoices(header), ...state }),
    ...chosen,
    queueModes: { ...queueModes },
    ...(running === undefined ? {} : { running: runningOf(running, chosen.model ?? state.model) }),
    ...(open === undefined ? {} : { openEntryId: open.entryId }),
    tools: tools.map(({ toolCallId, toolName }) => ({ toolCallId, toolName })),
    queue: [...queue],
    requests: [...requests],
    ...(questions.length === 0 ? {} : { questions: [...questions] }),
    ...(plan.length === 0 ? {} : { plan: [...plan] }),
    jobs: [...jobs],
    usage,
    ...(lastEnd === undefined ? {} : { lastEnd }),
    ...known,
  }
}

function loggedChoices({
  model,
  thinkingLevel,
  activeTools,
  approvalMode,
  scenario,
}: SessionState): NonNullable<StatusParts['chosen']> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(activeTools === undefined ? {} : { activeTools: [...activeTools] }),
    ...(approvalMode === undefined ? {} : { approvalMode }),
    ...(scenario === undefined ? {} : { scenario: { ...scenario } }),
  }
}

function runningOf(
  { runId, turnIndex, startedAt, model }: NonNullable<SessionState['running']>,
  next: string | undefined,
): NonNullable<SessionStatus['running']> {
  const isOther = model !== undefined && model !== next
  return {
    turnIndex,
    ...(runId === undefined ? {} : { runId }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(isOther ? { model } : {}),
  }
}
