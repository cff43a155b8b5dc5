// Defines the placeholder for a secret that was removed from a text.

/** Matches every placeholder. */
export const redactionPattern = /\[redacted:[^\]\n]{1,100}\]/g

/** The placeholder for a secret of this kind. */
export function redactionPlaceholder(kind: string): string {
  return `[redacted:${kind}]`
}

/**
 * The first placeholder of `text` that `original` does not contain: writing it would replace a secret by its
 * placeholder (docs/design/security.md#S18).
 */
export function findNewPlaceholder(text: string, original: string): string | undefined {
  return text.match(redactionPattern)?.find((placeholder) => !original.includes(placeholder))
}
