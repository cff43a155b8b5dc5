// Collects what this process prints, so that a record can hold it.
import { plainText } from '../contract/plain-text.ts'

/** The texts that are written from now on; they do not reach the terminal. */
export function collectOutput(): string[] {
  const printed: string[] = []
  for (const stream of [process.stdout, process.stderr])
    stream.write = (chunk: string | Uint8Array): boolean => {
      const text = plainText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()).trim()
      if (text !== '') printed.push(text)
      return true
    }
  return printed
}
