// However a session gets its title, it is one that a list, a window and line 1 of a log have room for.

/** Most characters of a session's title. */
export const titleLimit = 200

// What a client may call itself: the names of the tools that it brings begin with this.

/** A regular expression: 1 to 20 letters, digits and dashes. */
export const clientName = '^[A-Za-z0-9-]{1,20}$'
