// Folds a shell command of the user into one item, from its start to its message.
import { bashExecutionIn } from '../../../lib/streams/messages/bash-execution.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { boundedTail } from './view-item.ts'
import type { BashItem } from './view-item.ts'
import { foldJobs } from '../../../lib/streams/state/fold-output.ts'
import type { View, ViewJob } from './view.ts'

type JobEvent = EventNamed<'job_start' | 'job_update' | 'job_end' | 'job_lost'>

/** @param at Unix ms, 0 if unknown */
export function foldJobEvent(view: View, event: JobEvent, at: number): View {
  switch (event.type) {
    case 'job_update':
      return foldBashJob(view, event)
    case 'job_start': {
      const job: ViewJob = at === 0 ? event : { ...event, since: at }
      return foldBashJob({ ...view, jobs: [...view.jobs, job] }, event)
    }
    case 'job_end':
      return foldBashJob({ ...view, jobs: foldJobs(view.jobs, event) }, event)
    case 'job_lost':
      return { ...view, jobs: foldJobs(view.jobs, event) }
  }
}

/** Ignores the job of a tool, which its tool shows. */
export function foldBashJob(view: View, event: EventNamed<'job_start' | 'job_update' | 'job_end'>): View {
  switch (event.type) {
    case 'job_start': {
      if (event.by !== 'client') return view
      const { jobId: id, command, excludeFromContext: isExcluded = false } = event
      return { ...view, live: [...view.live, { kind: 'bash', id, command, output: '', isExcluded, isOpen: true }] }
    }
    case 'job_update':
      return updateItem(view, event.jobId, (item) => ({
        ...item,
        output: boundedTail(item.output + event.content, 8_192),
      }))
    case 'job_end': {
      const ended = event.message === undefined ? undefined : bashItem('', event.message)
      return ended === undefined || !isShown(view, event.jobId) ? view : closeItem(view, event.jobId, ended)
    }
  }
}

/** Folds the message of a shell command; undefined for another role. */
export function foldBashMessage(view: View, entryId: string, message: Message): View | undefined {
  const item = bashItem(entryId, message)
  const jobId = bashExecutionIn(message)?.jobId
  if (item === undefined) return undefined
  if (jobId === undefined) return { ...view, live: [...view.live, item] }
  if (view.endedJobs.includes(jobId)) return { ...view, endedJobs: view.endedJobs.filter((id) => id !== jobId) }
  if (!isShown(view, jobId)) return { ...view, live: [...view.live, item] }
  return { ...closeItem(view, jobId, item), endedJobs: view.endedJobs }
}

/** False if its start was not received. */
function isShown(view: View, jobId: string): boolean {
  return view.live.some((live) => live.kind === 'bash' && live.id === jobId)
}

/** Shows the end of the command; its later message is not shown again. */
function closeItem(view: View, jobId: string, { output, exitCode, isCancelled }: BashItem): View {
  const end = {
    output,
    isOpen: false,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(isCancelled && { isCancelled }),
  }
  return { ...updateItem(view, jobId, (item) => ({ ...item, ...end })), endedJobs: [...view.endedJobs, jobId] }
}

function updateItem(view: View, jobId: string, change: (item: BashItem) => BashItem): View {
  const live = view.live.map((item) => (item.kind === 'bash' && item.id === jobId ? change(item) : item))
  return { ...view, live }
}

function bashItem(id: string, message: Message): BashItem | undefined {
  const ran = bashExecutionIn(message)
  if (ran?.command === undefined) return undefined
  const { command, output = '', exitCode, cancelled = false, excludeFromContext: isExcluded = false } = ran
  return {
    kind: 'bash',
    id,
    command,
    output,
    isExcluded,
    ...(cancelled && { isCancelled: true }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}
