// What an endpoint says of a model that it serves; what it does not say is absent.
export interface ServedModel {
  readonly id: string
  /** Tokens that the endpoint gives it, as far as it says. */
  readonly contextWindow?: number
  /** True: `contextWindow` is what the model could take; the endpoint may give it less. */
  readonly windowMayBeLess?: boolean
  /** False: it takes no tools. */
  readonly tools?: boolean
  readonly images?: boolean
  readonly reasoning?: boolean
  /** True: it makes vectors, not answers. */
  readonly embeds?: boolean
}
