// Tests that large content moves from a log line to blobs and back.
import { describe, expect, it } from 'vitest'
import type { Blobs } from '../../../lib/streams/log/blobs.ts'
import {
  externaliseContent,
  loadContent,
  externaliseImage,
  missingContentNote,
  blobReferenceOf,
  blobReferencesIn,
} from '../../../lib/streams/log/externalise-content.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { lineEvent } from '../../../lib/streams/log/line-event.ts'
import { mapParts } from '../../../lib/streams/events/map-parts.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { assistant, everyEvent, toolResult, user } from '../events/samples.ts'

/** Everything over 2,000 characters is large. */
function fakeBlobs() {
  const stored = new Map<string, string>()
  const held: string[] = []
  const refer: Blobs['refer'] = (content, encoding) =>
    content.length <= 2_000 ? undefined : { blob: nameOf(`${encoding} ${content}`), bytes: content.length }
  const blobs: Blobs = {
    refer,
    keep: (content, encoding) => {
      const reference = refer(content, encoding)
      if (reference !== undefined) stored.set(reference.blob, content)
      return reference
    },
    hold: ({ blob }) => void held.push(blob),
    read: ({ blob }, encoding) => {
      const content = stored.get(blob)
      if (content === undefined || nameOf(`${encoding} ${content}`) !== blob)
        throw new Failure('storage', `The blob ${blob} is not there`)
      return content
    },
  }
  return { blobs, stored, held }
}

function nameOf(content: string): string {
  let sum = 7
  for (const unit of content) sum = (sum * 31 + unit.charCodeAt(0)) % 0xffffffff
  return sum.toString(16).padStart(64, '0')
}

const picture = 'A'.repeat(4_000)
const output = `${'x'.repeat(1_023)}𝒳${'y'.repeat(3_000)}`
const image: UserContent = { type: 'image', mimeType: 'image/png', data: picture }
const small: UserContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const text: UserContent = { type: 'text', text: output }
const end = (content: readonly UserContent[]): AgentEvent => ({
  type: 'tool_execution_end',
  toolCallId: 'call_1',
  toolName: 'read',
  isError: false,
  content,
  durationMs: 1,
})

describe('externaliseContent and loadContent', () => {
  it.each<[string, AgentEvent]>([
    ['a tool’s result', end([text, image, small])],
    [
      'a message',
      { type: 'message_end', entryId: 'u', parentId: null, message: user([image, { type: 'text', text: 'see' }]) },
    ],
    [
      'an imported result',
      { type: 'message_end', entryId: 'r', parentId: 'a', message: toolResult({ content: [text] }) },
    ],
    ['a queued input', { type: 'queue_update', queue: 'steering', op: 'add', queueId: 'q', content: [image] }],
    ['an edit', { type: 'context_edit', targetEntryId: 'u', replacement: user([image]) }],
  ])('move the large content of %s to blobs and restore it [LOG-blobs]', (_, event) => {
    const { blobs } = fakeBlobs()
    const aside = externaliseContent(event, blobs)
    expect(JSON.stringify(aside).length).toBeLessThan(2_000)
    expect(blobReferencesIn(aside).length).toBeGreaterThan(0)
    expect(
      mapParts(
        aside,
        loadContent(blobs, () => expect.unreachable()),
      ),
    ).toEqual(event)
  })

  it('leave the beginning of a text on its line, and never split a surrogate pair', () => {
    const { blobs } = fakeBlobs()
    const aside = externaliseContent(end([text]), blobs)
    expect(aside).toMatchObject({ content: [{ type: 'text', text: 'x'.repeat(1_023), bytes: output.length }] })
  })

  it("leave a user's text on the line, at any length", () => {
    const { blobs, stored } = fakeBlobs()
    const long: AgentEvent = { type: 'message_end', entryId: 'u', parentId: null, message: user([text]) }
    expect(externaliseContent(long, blobs)).toBe(long)
    expect(stored.size).toBe(0)
  })

  it('leave an event without large content unchanged', () => {
    const { blobs } = fakeBlobs()
    for (const event of everyEvent) expect(externaliseContent(event, blobs)).toBe(event)
    const answer: AgentEvent = { type: 'message_end', entryId: 'a', parentId: null, message: assistant() }
    expect(lineEvent(answer, blobs)).toBe(answer)
  })

  it('write nothing twice: a result’s message omits what the end of its call contains', () => {
    const { blobs, stored } = fakeBlobs()
    lineEvent({ type: 'message_end', entryId: 'r', parentId: null, message: toolResult({ content: [image] }) }, blobs)
    expect(stored.size).toBe(0)
  })

  it('report content that is already referenced as referenced again', () => {
    const { blobs, held } = fakeBlobs()
    const aside = externaliseContent(end([text, image]), blobs)
    expect(externaliseContent(aside, blobs)).toBe(aside)
    expect(held).toEqual(blobReferencesIn(aside).map(({ blob }) => blob))
  })

  it('replace each lost blob with a text, and report it', () => {
    const { blobs, stored } = fakeBlobs()
    const aside = externaliseContent(end([text, image]), blobs)
    stored.clear()
    const lost: string[] = []
    const back = mapParts(
      aside,
      loadContent(blobs, ({ blob }, { code }) => void lost.push(`${code} ${blob}`)),
    )
    expect(back).toMatchObject({
      content: [
        {
          type: 'text',
          text: expect.stringMatching(
            /^x{1023}\n\[Only the beginning remains; the whole text \(\d+ bytes\) is lost/,
          ) as string,
        },
        { type: 'text', text: '[An image (image/png, 4000 bytes) is lost]' },
      ],
    })
    expect(lost).toEqual(blobReferencesIn(aside).map(({ blob }) => `storage ${blob}`))
    expect(blobReferencesIn(back)).toEqual([])
  })
})

describe('externaliseImage', () => {
  it('returns the image of a line, and writes nothing', () => {
    const { blobs, stored } = fakeBlobs()
    const onLine = externaliseImage({ type: 'image', mimeType: 'image/png', data: picture }, blobs)
    expect(stored.size).toBe(0)
    expect(externaliseContent(end([image]), blobs)).toEqual(end([onLine]))
    expect(externaliseImage(onLine, blobs)).toBe(onLine)
  })
})

describe('blobReferenceOf', () => {
  const blob = 'a'.repeat(64)
  it.each<[string, UserContent, unknown]>([
    ['an image with its data', { type: 'image', mimeType: 'a/b', data: 'AAAA', blob, bytes: 3 }, undefined],
    ['an image without', { type: 'image', mimeType: 'a/b', blob, bytes: 3 }, { blob, bytes: 3 }],
    ['an image without anything', { type: 'image', mimeType: 'a/b' }, undefined],
    ['a text', { type: 'text', text: 'a' }, undefined],
    ['the beginning of a text', { type: 'text', text: 'a', blob }, { blob, bytes: 0 }],
  ])('of %s', (_, part, reference) => {
    expect(blobReferenceOf(part)).toEqual(reference)
    expect(missingContentNote(part).blob).toBeUndefined()
  })
})
