// Two messages tell of the same command of a person where they name the same job.
import { bashExecutionIn } from '../../streams/messages/bash-execution.ts'
import type { Message } from '../../streams/messages/message.ts'

export function isSameCommand(one: Message, other: Message): boolean {
  const jobId = bashExecutionIn(one)?.jobId
  return jobId !== undefined && jobId === bashExecutionIn(other)?.jobId
}
