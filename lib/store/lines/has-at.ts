// A few bytes are compared where they stand: cutting them out first costs more than looking at them.

/** Whether `wanted` stands in `bytes` from `offset` on. */
export function hasAt(bytes: Uint8Array, wanted: Uint8Array, offset: number): boolean {
  if (offset < 0 || offset + wanted.length > bytes.length) return false
  for (let place = 0; place < wanted.length; place++) if (bytes[offset + place] !== wanted[place]) return false
  return true
}
