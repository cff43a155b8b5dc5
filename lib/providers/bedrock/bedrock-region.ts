// Reads the region and the plain id in the ARN of a Bedrock model.

const arn = /^arn:aws[\w-]*:bedrock:([a-z0-9-]*):\d*:(?:inference-profile|foundation-model)\/(.+)$/

/** The region of a model that is named by its ARN. */
export function regionOfModel(id: string): string | undefined {
  return /^arn:aws[\w-]*:bedrock:([a-z0-9-]+):/.exec(id)?.[1]
}

/** The id in the ARN of a foundation model or of a profile of the system; any other id as it is. */
export function plainModelId(id: string): string {
  return arn.exec(id)?.[2] ?? id
}
