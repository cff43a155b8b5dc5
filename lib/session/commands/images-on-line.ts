// A repeated command is compared with the line that it left: of an image that is kept aside both then have the name alone.
import type { Blobs } from '../../streams/log/blobs.ts'
import { imageOnLine } from '../../streams/log/content-aside.ts'
import type { CommandTrace } from '../../streams/state/fold-commands.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { ImageContent } from '../../streams/messages/message.ts'
import type { SessionCommand } from '../contract/session.ts'

/** The command with its images as lines have them; itself where nothing is kept aside. */
export function withImagesOnLine(command: SessionCommand, blobs: Blobs | undefined): SessionCommand {
  if (blobs === undefined || !('images' in command)) return command
  return { ...command, images: onLine(command.images, blobs) }
}

/** What the command's lines say, where this process wrote them itself too. */
export function tracesOnLine(traces: readonly CommandTrace[], blobs: Blobs | undefined): readonly CommandTrace[] {
  if (blobs === undefined) return traces
  return traces.map((trace) => ({
    ...trace,
    event: mapParts(trace.event, (part) => (part.type === 'image' ? imageOnLine(part, blobs) : part)),
  }))
}

function onLine(images: readonly ImageContent[] | undefined, blobs: Blobs): readonly ImageContent[] {
  return images?.map((image) => imageOnLine(image, blobs)) ?? []
}
