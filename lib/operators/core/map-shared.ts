// An array whose elements stay as they are stays itself.

/** `values` with each element replaced, or left out for `undefined`; `values` itself where all were given back as they were. */
export function mapShared<Value>(
  values: readonly Value[],
  project: (value: Value, index: number) => Value | undefined,
): readonly Value[] {
  const mapped: Value[] = []
  let changed = false
  for (const [index, value] of values.entries()) {
    const result = project(value, index)
    if (result !== value) changed = true
    if (result !== undefined) mapped.push(result)
  }
  return changed ? mapped : values
}
