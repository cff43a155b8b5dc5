// Declares a file that a tool changes, on the disk or at a client.
import type { PathFence } from '../../streams/ports/sandbox.ts'

/** The text of a file at a client. */
export interface ClientText {
  /** Undefined: neither the client nor the disk has the file. */
  readonly bytes: Buffer | undefined
  /** @throws FileProblem if the client does not confirm it */
  write(content: string): Promise<void>
}

export interface ChangedFile {
  /** Absolute, as requested. */
  readonly path: string
  /** The real target, which is locked and replaced. */
  readonly target: string
  /** For people: relative if it is in the working folder. */
  readonly name: string
  /** Undefined: the session has none. */
  readonly fence?: PathFence | undefined
  /** Undefined: the file is read and written on the disk. */
  readonly client?: ClientText | undefined
  /** A sentence for the model about the client's text, with a leading space. Default: none. */
  readonly remark?: string
}
