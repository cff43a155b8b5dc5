// A reader sees the old file or the new one, whole, and no crash leaves half of one.

/**
 * Replaces a file or creates it: written beside it, synced, renamed over it. Mode bits and, where possible, owner stay; a
 * new file gets what the umask leaves of 0666. Other hard links keep the old content.
 *
 * Until the new content is being written an abort leaves the old file and no trace; from then on it is carried through.
 * @param file absolute and free of symbolic links (`realTarget`), or a link would be replaced by a file
 */
export async function replaceFile(file: string, content: string, signal: AbortSignal): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic') // 10 ms that only writers pay
  signal.throwIfAborted()
  await writeFileAtomic(file, content, { tmpfileCreated: () => signal.throwIfAborted() })
}
