// What a client may call itself: the names of the tools that it brings begin with this.

/** A regular expression: 1 to 20 letters, digits and dashes. */
export const clientName = '^[A-Za-z0-9-]{1,20}$'
