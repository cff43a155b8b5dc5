// What the mock model says, so that whoever asks it can be checked.

/** 50 deltas of 20 characters. */
export const mockAnswer: readonly string[] = Array.from({ length: 50 }, (_, index) =>
  `delta ${String(index).padStart(2, '0')} of fifty.`.padEnd(20),
)
