// A value of a foreign file is quoted shortly where a person is told of it.

/** Its JSON, at most 60 characters of it; `none` where there is no value. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
