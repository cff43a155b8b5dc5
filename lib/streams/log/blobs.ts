// Large content is kept once, under the SHA-256 of its bytes, beside the logs that name it; a line holds the name.

/** How a text in an event stands for bytes: an image's `data` is base64, a tool's output is itself. */
export type BlobEncoding = 'base64' | 'utf8'

/** What stands on a line for content that is kept aside. */
export interface BlobReference {
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly blob: string
  /** How many bytes it has. */
  readonly bytes: number
}

/** Where one log's large content is; synchronous, as appending is. */
export interface Blobs {
  /**
   * What stands for this content on a line; undefined where it stands there itself: up to 64 KiB, and what bytes could not
   * give back exactly. Writes nothing.
   */
  refer(content: string, encoding: BlobEncoding): BlobReference | undefined
  /** The same, once the content is written; the log's next sync takes it along. @throws Failure `storage` */
  keep(content: string, encoding: BlobEncoding): BlobReference | undefined
  /** Tells that one more line is about to name what is kept, so that nobody removes it meanwhile. */
  hold(reference: BlobReference): void
  /** @throws Failure `storage` where it is not there, or is not what its name says */
  read(reference: BlobReference, encoding: BlobEncoding): string
}
