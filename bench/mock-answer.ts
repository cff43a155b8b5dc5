// The answer of the mock model, by which its clients can be checked.

/** 50 deltas of 20 characters. */
export const mockAnswer: readonly string[] = Array.from({ length: 50 }, (_, index) =>
  `delta ${String(index).padStart(2, '0')} of fifty.`.padEnd(20),
)
