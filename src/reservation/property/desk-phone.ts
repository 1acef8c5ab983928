import { invalidValue } from '../../resource/problem.ts'
import type { Settings } from '../resources/settings.ts'

/** Whether the property has a telephone number that a guest can call. A text without a digit is none. */
export function hasDeskPhone({ deskPhone }: Pick<Settings, 'deskPhone'>): boolean {
  return /\p{Nd}/u.test(deskPhone ?? '')
}

/**
 * Throws validation-failed for a new text without a digit, which no guest can call: one from before stays; and when a property with a
 * kiosk loses its telephone number. A property without one keeps none.
 */
export function expectDeskPhone(before: Settings, after: Settings, hasKiosk: boolean): void {
  const isNew = after.deskPhone !== before.deskPhone && (after.deskPhone ?? '').trim() !== ''
  if (isNew && !hasDeskPhone(after))
    throw invalidValue('/deskPhone', 'deskPhone must be a telephone number. It has digits.', {
      expected: 'telephone number',
    })
  if (!hasKiosk) return
  if (!hasDeskPhone(before) || hasDeskPhone(after)) return
  throw invalidValue(
    '/deskPhone',
    'deskPhone must have a telephone number while a kiosk is enrolled: a guest whom the kiosk cannot help calls it.',
    { expected: 'telephone number' },
  )
}
