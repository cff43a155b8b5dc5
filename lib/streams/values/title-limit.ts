// However a session gets its title, it is one that a list, a window and line 1 of a log have room for.

/** Most characters of a session's title. */
export const titleLimit = 200
