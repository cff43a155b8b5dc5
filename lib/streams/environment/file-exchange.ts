// The files of a client: the texts that it shows to a person, and how it takes changed ones.
import type { Observable } from 'rxjs'

/** UTF-8 bytes of a text that is exchanged with a client; longer files are read and written on the disk. */
export const longestClientText = 8 * 2 ** 20

/** Paths are absolute, in the folder of the session as the session names it. */
export interface ClientFiles {
  /** False: texts are read, and changes are written to the disk. */
  readonly canWrite: boolean
  /**
   * Emits the text once, with changes that are not saved; undefined if the client has no such file. Fails with a Failure if
   * the client answers with an error, not in time or not with a text, or goes away. Unsubscribing cancels it at the client.
   */
  read(file: string): Observable<string | undefined>
  /** Emits once when the client has taken the text. Fails as `read` does; the text may have been taken then. */
  write(file: string, text: string): Observable<void>
}

/** The files that a client offers to a session. */
export interface FilesOffer {
  /** Another client's files are used in place of these, or these are used again. */
  onReplaced?(isReplaced: boolean): void
  readonly files: ClientFiles
}
