// Validates a command's input: images and limits; converts it to message content.
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { blobReferenceOf } from '../../streams/log/externalise-content.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ImageContent, UserContent } from '../../streams/messages/message.ts'
import type { SessionCommand } from '../contract/session.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import { checkCommand, checkRunLimits } from '../../streams/validation/validators.ts'

/**
 * Checks a command as a client's line is checked, for callers without types, and that each referenced image is stored.
 * @throws Failure `bad_request` naming the field, `unknown_command`
 */
export function checkShape(command: SessionCommand, { header, blobs }: Pick<SessionLog, 'header' | 'blobs'>): void {
  // a model with its provider holds a function, which no schema describes
  const checkable =
    command.type === 'set_model' && typeof command.model === 'object'
      ? { ...command, model: 'of the program' }
      : command
  const line = { ...checkable, session: header.id }
  const checked = checkCommand(line)
  if (!checked.ok) throw new Failure('bad_request', `${command.type}: ${checked.problem}`)
  checkImages(command, blobs)
}

type Readable = Pick<Blobs, 'read'> | undefined

/** @throws Failure `bad_request` for an image without data whose blob is not here */
function checkImages(command: SessionCommand, blobs: Readable): void {
  if ('images' in command) checkEach(command.type, command.images, blobs)
}

function checkEach(type: string, images: readonly ImageContent[] | undefined, blobs: Readable): void {
  images?.forEach((image, index) => {
    if (image.data === undefined ? isStored(image, blobs) : image.data !== '') return
    const message = `${type}: images/${index} has no data and names no blob of the store; send its data`
    throw new Failure('bad_request', message)
  })
}

function isStored(image: ImageContent, blobs: Readable): boolean {
  const reference = blobReferenceOf(image)
  if (reference === undefined || blobs === undefined) return false
  try {
    blobs.read(reference, 'base64')
    return true
  } catch {
    return false // the caller's fault is the same for any reason
  }
}

/** @throws Failure `bad_request` naming the limit */
export function checkLimits(limits: RunLimits | undefined): void {
  if (limits === undefined) return
  const checked = checkRunLimits(limits)
  if (!checked.ok) throw new Failure('bad_request', `The run's limits are invalid: ${checked.problem}`)
}

export interface Input {
  readonly text: string
  readonly images?: readonly ImageContent[] | undefined
}

/** An input as the content of a user message. Text alone stays a string. */
export function inputContent({ text, images = [] }: Input): string | readonly UserContent[] {
  if (images.length === 0) return text
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...images]
}

export function outputSchemaFailure(): Failure {
  const message = 'outputSchema needs a run of its own, not a queued input; send the prompt after agent_settled'
  return new Failure('bad_request', message)
}

/** The hint of `busyFailure` for a command that no option lets through. */
export const untilSettled = 'abort it, or wait for agent_settled'

/** The refusal of a command during a run. @param hint how to send it instead */
export function busyFailure(hint: string): Failure {
  return new Failure('busy', `A run is active in this session; ${hint}`)
}
