// Replaces the view by that of an opened session: its last messages and its current state.
import { modelName } from '../../../lib/streams/models/model.ts'
import { withDialog } from './fold-questions.ts'
import { foldBashJob } from './fold-bash.ts'
import type { History, OpenedInput } from './view-input.ts'
import { emptyView, addNotice } from './view.ts'
import type { View } from './view.ts'
import { summaryItem } from './fold-compaction.ts'
import { foldMessage } from './fold-message.ts'

export function foldOpened(view: View, input: OpenedInput): View {
  const { opened, status, hasEarlier, compaction } = input
  const { session: id, header, model, notices, readOnly } = opened
  const { session: before, overlay } = view
  const fresh: View = {
    ...emptyView(),
    endings: view.endings,
    // notices from before the first session stay
    generation: view.session === undefined ? view.generation : view.generation + 1,
    notices: view.notices,
    live: view.session === undefined ? view.live : [],
    ...(view.session === undefined ? { finished: view.finished, finishedCount: view.finishedCount } : {}),
    connection: view.connection,
    drafts: view.drafts,
    sending: view.sending,
    // `rxpi --resume` opens the picker before there is a session
    ...(before === undefined && overlay?.name === 'picker' ? { overlay } : {}),
    ...(view.theme === undefined ? {} : { theme: view.theme }),
    ...(view.extensionTheme === undefined ? {} : { extensionTheme: view.extensionTheme }),
    showsThinking: view.showsThinking,
    isExpanded: view.isExpanded,
    isLent: view.isLent,
    isFocused: view.isFocused,
    notifies: view.notifies,
    session: { id, cwd: header.cwd, title: status.title ?? '', ...(readOnly && { readOnly: readOnly.message }) },
    model: status.model ?? (model === null ? '' : modelName(model)),
    thinkingLevel: status.thinkingLevel ?? 'off',
    ...(status.approvalMode === undefined ? {} : { approvalMode: status.approvalMode }),
    ...(status.scenario === undefined ? {} : { scenario: status.scenario }),
    activeTools: status.activeTools ?? [],
    usage: status.usage,
    queue: status.queue,
    requests: status.requests,
    questions: status.questions ?? [],
    jobs: status.jobs,
    plan: status.plan ?? [],
    ...(model?.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
    ...(compaction === undefined ? {} : { compaction: compaction.event.entryId }),
    ...(status.running === undefined ? {} : { running: runningOf(status.running, status.model) }),
  }
  const isLast = ({ code }: OpenNotice): boolean => code === 'approval_mode'
  const first = notices.filter((notice) => !isLast(notice))
  const begun = withModelNotice(first.reduce(addOpenNotice, fresh), opened)
  const earlier = hasEarlier ? addNotice(begun, { level: 'info', text: 'Earlier messages are in /tree' }) : begun
  const withTools = withStartedTools(foldHistory(earlier, input), status)
  // a mode that is not the one of before stands below the messages, where it is read
  const ended = notices.filter(isLast).reduce(addOpenNotice, withTools)
  return withDialog(status.jobs.reduce(foldBashJob, ended))
}

/** Without a model of its own, the run goes on with the model of the next request. */
function runningOf(
  { runId, model, startedAt = 0 }: NonNullable<OpenedInput['status']['running']>,
  next: string | undefined,
): NonNullable<View['running']> {
  const answering = model ?? next
  return {
    since: startedAt,
    ...(runId === undefined ? {} : { runId }),
    ...(answering === undefined ? {} : { model: answering }),
  }
}

function withStartedTools(view: View, { tools }: OpenedInput['status']): View {
  if (tools.length === 0) return view
  const started = new Set(tools.map(({ toolCallId }) => toolCallId))
  return {
    ...view,
    live: view.live.map((item) =>
      item.kind === 'tool' && started.has(item.id) && item.state === 'waiting' ? { ...item, state: 'running' } : item,
    ),
  }
}

type OpenNotice = OpenedInput['opened']['notices'][number]

const warningCodes: ReadonlySet<string> = new Set(['read_only', 'no_model', 'approval_mode'])

function addOpenNotice(view: View, { code, message }: OpenNotice): View {
  if (code === 'extension_pending') return view // the session asks about it
  return addNotice(view, { level: warningCodes.has(code) ? 'warning' : 'info', text: message })
}

function withModelNotice(view: View, { model }: OpenedInput['opened']): View {
  return model?.notice === undefined ? view : addNotice(view, { level: 'info', text: model.notice })
}

function foldNode(view: View, node: History['entries'][number] | NonNullable<History['summaries']>[number]): View {
  if (!('event' in node)) return foldMessage(view, node)
  const { event } = node
  return { ...view, live: [...view.live, summaryItem(event)], contextTokens: event.tokensAfter }
}

/** Folds stored messages and summaries; closes calls without a result unless a run is active. */
export function foldHistory(view: View, { entries, summaries = [] }: History): View {
  const nodes = [...entries, ...summaries].sort((one, other) => one.seq - other.seq)
  const shown = nodes.reduce(foldNode, view)
  if (shown.running !== undefined) return shown
  return {
    ...shown,
    live: shown.live.map((item) => (item.kind === 'tool' && item.state !== 'done' ? { ...item, state: 'done' } : item)),
  }
}
