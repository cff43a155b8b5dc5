// Measures the live heap after a full collection.

/** Bytes. @throws without `--expose-gc` */
export function liveHeap(): number {
  if (globalThis.gc === undefined) throw new Error('The live heap is only known under node --expose-gc')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
