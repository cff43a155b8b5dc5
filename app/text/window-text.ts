// Formats a number of tokens in two or three digits.

/** 200000 as 200k, 1048576 as 1M. */
export function formatTokens(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(tokens)
}
