// What is kept beside a log counts only where the log's line 1 and the last line that it covers are the very ones it was made with.
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { readKept } from './kept-file.ts'
import type { KeptFile } from './kept-file.ts'
import { lineHead } from '../lines/line-head.ts'
import { lineIsSealed } from '../lines/line-is-sealed.ts'
import { readLines } from '../lines/read-lines.ts'

export interface LogBeside {
  readonly files: FileSystemPort
  readonly file: string
  /** Open for reading. */
  readonly descriptor: number
  /** Bytes that the file has. */
  readonly size: number
}

/** The `crc` of a sealed line, from its end. */
export function crcOf(line: Buffer): string {
  return line.toString('latin1', line.length - 10, line.length - 2)
}

/** Undefined where nothing is kept that fits. */
export function fittingKept({ files, file, descriptor, size }: LogBeside): KeptFile | undefined {
  const kept = readKept(file)
  if (kept === undefined || kept.end > size || kept.last >= kept.end) return undefined
  const read = (buffer: Buffer, length: number, position: number): number =>
    files.readSync(descriptor, buffer, 0, length, position)
  const lineAt = (from: number): Buffer | undefined => {
    for (const { bytes, ended } of readLines({ read, from, end: () => kept.end })) return ended ? bytes : undefined
    return undefined
  }
  const header = lineAt(0)
  if (header === undefined || !lineIsSealed(header) || crcOf(header) !== kept.header) return undefined
  const last = lineAt(kept.last)
  if (last === undefined || kept.last + last.length + 1 !== kept.end) return undefined
  if (!lineIsSealed(last) || crcOf(last) !== kept.lastCrc) return undefined
  return lineHead(last)?.seq === kept.seq ? kept : undefined
}
