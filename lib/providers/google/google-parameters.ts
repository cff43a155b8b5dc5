// Describes the parameters of Google's SDK as plain data: the SDK's own types are classes and enums.

export interface GooglePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly functionCall?: {
    readonly id?: string
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
  }
  readonly functionResponse?: {
    readonly id?: string
    readonly name: string
    readonly response: Readonly<Record<string, unknown>>
    readonly parts?: readonly GooglePart[]
  }
}

export interface GoogleContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly GooglePart[]
}

/** The parameters of `generateContentStream`. */
export interface GoogleParameters {
  readonly model: string
  readonly contents: readonly GoogleContent[]
  readonly config: {
    readonly systemInstruction?: string
    readonly tools?: readonly { readonly functionDeclarations: readonly GoogleFunction[] }[]
    readonly toolConfig?: {
      readonly functionCallingConfig: {
        readonly mode?: 'AUTO' | 'NONE' | 'ANY'
        readonly allowedFunctionNames?: readonly string[]
        readonly streamFunctionCallArguments?: true
      }
    }
    readonly thinkingConfig?: {
      readonly includeThoughts?: true
      readonly thinkingBudget?: number
      readonly thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'
    }
    readonly responseMimeType?: 'application/json'
    readonly responseJsonSchema?: Readonly<Record<string, unknown>>
    readonly temperature?: number
    readonly maxOutputTokens?: number
    readonly automaticFunctionCalling: { readonly disable: true }
    readonly automaticContinuation: false
  }
}

export interface GoogleFunction {
  readonly name: string
  readonly description: string
  readonly parametersJsonSchema: Readonly<Record<string, unknown>>
}
