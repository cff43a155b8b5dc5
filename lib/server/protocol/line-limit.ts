// The one bound on what a client may send at once; hello tells it, the framer and the linked pair enforce it.

/** UTF-8 bytes of one line of a client, without its line feed. */
export const lineLimit = 16 * 1024 * 1024
