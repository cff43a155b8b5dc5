// Port of the blob store.
// Large content is stored once under the SHA-256 of its bytes; log lines hold the hash.

/** How an event's text represents bytes: an image's `data` is base64, a tool's output is the text itself. */
export type BlobEncoding = 'base64' | 'utf8'

/** The reference on a log line that replaces large content. */
export interface BlobReference {
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly blob: string
  /** Size in bytes. */
  readonly bytes: number
}

/** The blobs of one log; synchronous, as appending is. */
export interface Blobs {
  /**
   * The reference for this content, or undefined if the line keeps it: up to 64 KiB, and text that does not survive the
   * conversion to bytes and back. Writes nothing.
   */
  refer(content: string, encoding: BlobEncoding): BlobReference | undefined
  /** The same, after the content is written; the log's next sync includes it. @throws Failure `storage` */
  keep(content: string, encoding: BlobEncoding): BlobReference | undefined
  /** Announces that a line is about to refer to a stored blob, so that a clean-up does not remove it. */
  hold(reference: BlobReference): void
  /** @throws Failure `storage` if the blob is missing or does not match its hash */
  read(reference: BlobReference, encoding: BlobEncoding): string
}
