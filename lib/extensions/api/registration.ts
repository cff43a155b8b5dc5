// Declares the handle of something that an extension registered.
export interface Registration {
  /** Takes it back; a second call does nothing. The end of the extension's scope does the same. */
  unregister(): void
}
