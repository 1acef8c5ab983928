import { invalidValue } from '../../resource/problem.ts'
import type { Settings } from '../resources/settings.ts'

/** Whether the property has a telephone number that a guest can call. A text without a digit is none. */
export function hasDeskPhone({ deskPhone }: Pick<Settings, 'deskPhone'>): boolean {
  return /\p{Nd}/u.test(deskPhone ?? '')
}

/** Throws validation-failed when a property with a kiosk loses its telephone number. A property without one keeps none. */
export function expectDeskPhone(before: Settings, after: Settings): void {
  if (!hasDeskPhone(before) || hasDeskPhone(after)) return
  throw invalidValue(
    '/deskPhone',
    'deskPhone must have a telephone number while a kiosk is enrolled: a guest whom the kiosk cannot help calls it.',
    { expected: 'telephone number' },
  )
}
