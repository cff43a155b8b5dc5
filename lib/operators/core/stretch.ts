// One reading of the clock serves a delta's whole way, for that is one synchronous stretch.

/**
 * `at` is when the delta came whose way we are on, in Unix ms; undefined on no delta's way. Who sets it puts back what was
 * there. A second reading, for the record of the delta, would be a twelfth of what a delta costs.
 */
export const stretch: { at: number | undefined } = { at: undefined }
