import type { JsonSchema } from '../../../resource/field.ts'
import type { Work } from '../../access.ts'

/**
 * Returns how often the lock system was asked about a key without a confirmation, and when it is asked next. The program
 * keeps both in memory only: they are null after a restart until the first attempt has failed.
 */
export function shownAttempts(access: Work, keyId: string) {
  const found = access.attempts(keyId)
  return {
    attempts: found?.failed ?? null,
    nextAttemptAt: found && new Date(found.nextAt).toISOString(),
  }
}

/** The schemas of these members. */
export const attemptsSchema = {
  attempts: {
    type: ['integer', 'null'],
    minimum: 1,
    description: `How often the lock system was asked about this key without a confirmation. Null where it is not asked, and
after a restart of the appliance until the first attempt has failed.`,
  },
  nextAttemptAt: {
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the lock system is asked next, or the present time while it is being asked. Null together with `attempts`.',
  },
} satisfies Record<keyof ReturnType<typeof shownAttempts>, JsonSchema>
