// Identifies contents by a digest of 256 bits.
import { hash } from 'node:crypto'

/** SHA-256 in hex: two contents with one digest count as equal. */
export function digestOf(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex')
}
