import type { ValidateFunction } from 'ajv'

/** The validators of schemas that were compiled beforehand, by their digests. The bundle has some; the source has none. */
export const compiledSchemas: Record<string, () => Promise<{ default: ValidateFunction }>> = {}
